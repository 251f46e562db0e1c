/** What the process that draws is asked, one wish after the other. `drawing-child.mjs` is the other side. */

/** How a document is opened: pictures that browsers show, those that they do not, and PDF. */
export type RenderFormat = 'pdf' | 'picture' | 'tiff' | 'heic' | 'svg';

export interface OpenCommand {
  readonly kind: 'open';
  readonly format: RenderFormat;
  /** The number under which it is known from then on. */
  readonly document: number;
  readonly path: string;
  readonly password: string | undefined;
}

export interface DrawCommand {
  readonly kind: 'draw';
  readonly document: number;
  /** From 1. */
  readonly page: number;
  /** In pixels. */
  readonly widths: readonly number[];
}

export interface TextCommand {
  readonly kind: 'text';
  readonly document: number;
  /** From 1. */
  readonly page: number;
}

export interface OutlineCommand {
  readonly kind: 'outline';
  readonly document: number;
}

export interface AttachmentCommand {
  readonly kind: 'attachment';
  readonly document: number;
  /** From 1. */
  readonly attachment: number;
  /** Where its bytes are written. */
  readonly path: string;
}

export interface CloseCommand {
  readonly kind: 'close';
  readonly document: number;
}

export type RenderCommand = OpenCommand | DrawCommand | TextCommand | OutlineCommand | AttachmentCommand | CloseCommand;

/** Why a document, or a page of it, is not drawn, by what it is itself. */
export type DocumentFault =
  | 'damaged'
  | 'dynamic-form'
  | 'empty'
  | 'locked'
  | 'no-page'
  | 'too-large'
  | 'too-many-pages'
  | 'unsupported'
  | 'wrong-type';

/**
 * The same, what the process that tried it told by its end, that there is no program for it here, and that it may name
 * what lies outside of it where that cannot be kept from being shown.
 */
export type RenderFault = DocumentFault | 'too-slow' | 'no-office' | 'outside';

export interface OpenedDocument {
  readonly count: number;
  /** Width and height of each page in points, of a picture in pixels; 0 and 0 of one that cannot be drawn. */
  readonly sizes: readonly (readonly [width: number, height: number])[];
  /** Names of the files that are attached to it. */
  readonly attachments: readonly string[];
}

/** One picture of a page, as WebP. */
export interface DrawnPage {
  /** In pixels: as wide as was asked, less of a page that is very high, or of a picture that has no more. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** A word and where it stands, in thousandths of the page as it is drawn; U+00AD ends what the next word goes on with. */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number];

/** Where a link lies, likewise, and where it leads: to a page, or outside (`http`, `https`, `mailto`). */
export interface PageLink {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly page?: number;
  readonly url?: string;
}

export interface PageText {
  readonly words: readonly PageWord[];
  readonly links: readonly PageLink[];
}

/** What is read of a page. */
export interface ExtractedPage extends PageText {
  /** It has text in layers that are switched off, which is left out. */
  readonly hasHidden: boolean;
}

/** A file that is attached to a document, under the name that the document gives it. */
export interface Attachment {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

export interface OutlineEntry {
  readonly title: string;
  /** Null of one that leads nowhere in the document. */
  readonly page: number | null;
  /** From 1; what belongs to an entry follows it, one deeper. */
  readonly level: number;
}

/** What it says once, before the first wish: whether the system holds it to its memory. */
export interface ReadyMessage {
  readonly limited: boolean;
}

export type RenderResponse = { readonly done: unknown } | { readonly refused: DocumentFault };
