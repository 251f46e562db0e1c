/** Messages to and from the rendering process, one command at a time; `render-child.mjs` is the other side. */

/** How to open a document: formats that browsers show (`picture`), those that they don't, and PDF. */
export type RenderFormat = 'pdf' | 'picture' | 'tiff' | 'heic' | 'svg';

export interface OpenCommand {
  readonly kind: 'open';
  readonly format: RenderFormat;
  /** Number that identifies the document in later commands. */
  readonly document: number;
  readonly path: string;
  readonly password: string | undefined;
}

export interface RenderPageCommand {
  readonly kind: 'render';
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
  /** File to which the bytes are written. */
  readonly path: string;
}

export interface CloseCommand {
  readonly kind: 'close';
  readonly document: number;
}

export type RenderCommand =
  OpenCommand | RenderPageCommand | TextCommand | OutlineCommand | AttachmentCommand | CloseCommand;

/** Why a document or page can't be rendered, for reasons in the document itself. */
export type DocumentFailure =
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
 * The same, and: the process timed out, LibreOffice isn't installed, or the document may refer to external files and
 * can't be isolated.
 */
export type RenderFailure = DocumentFailure | 'too-slow' | 'no-office' | 'outside';

export interface OpenedDocument {
  readonly count: number;
  /** Width and height of each page, in points, or in pixels for pictures; 0 and 0 if it can't be rendered. */
  readonly sizes: readonly (readonly [width: number, height: number])[];
  /** Names of attached files. */
  readonly attachments: readonly string[];
}

/** A rendered page as WebP. */
export interface RenderedPage {
  /** In pixels: the requested width, or less if the page is very high or the picture is smaller. */
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/**
 * A word and its position in thousandths of the page as rendered; U+00AD at its end means that the next word continues
 * it.
 */
export type PageWord = readonly [text: string, x: number, y: number, width: number, height: number];

/** A link's position in the same units, and its target: a page, or an external URL (`http`, `https`, `mailto`). */
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

/** Text and links extracted from a page. */
export interface ExtractedPage extends PageText {
  /** True if text in layers that are switched off was omitted. */
  readonly hasHidden: boolean;
}

/** A file attached to a document, with the name given by the document. */
export interface Attachment {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

export interface OutlineEntry {
  readonly title: string;
  /** Null when it has no target in the document. */
  readonly page: number | null;
  /** Starts at 1; children follow their parent, one level deeper. */
  readonly level: number;
}

/** Sent once, before the first command: whether the system enforces the memory limit. */
export interface ReadyMessage {
  readonly isMemoryLimited: boolean;
}

export type RenderResponse = { readonly result: unknown } | { readonly rejected: DocumentFailure };
