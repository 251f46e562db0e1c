import type { QueryKey } from '@tanstack/react-query';
import type { Schema } from '../../../shared/api/client';
import type { reportReading } from './keepalive-requests';

type StoredFile = Schema<'FileDto'>;
type Abilities = Schema<'FileAbilitiesDto'>;

/** A file as the reader shows it. Files of links have no details about their management. */
export type ReaderFile = Pick<StoredFile, 'id' | 'originalName' | 'mimeType' | 'size' | 'viewable'> &
  Partial<Pick<StoredFile, 'version' | 'contentUpdatedAt' | 'updatedAt'>> & {
    readonly can: Pick<Abilities, 'view' | 'download' | 'text'> & Partial<Pick<Abilities, 'rename' | 'seeOpenings'>>;
  };

/** A request with the key of its response in the query cache. */
export interface SourceQuery<T> {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
}

/** Where the signed-in user stopped reading. */
export interface PositionSource {
  readonly query: (fileId: number) => SourceQuery<Schema<'ReadingPositionDto'>>;
  /** @returns false if the server rejected the position and will reject those that follow */
  readonly save: (fileId: number, position: Schema<'SavePositionDto'>) => Promise<boolean>;
}

/** Where the reader gets files from: the zones of the signed-in user, or a link to a file or folder. */
export interface ReaderSource {
  /** URL that shows the file inline. */
  readonly viewUrl: (file: Pick<ReaderFile, 'id' | 'can'>) => string;
  readonly downloadUrl: (file: Pick<ReaderFile, 'id'>) => string;
  readonly pageImageUrl: (fileId: number, page: number, width: number) => string;
  readonly thumbnailUrl: (fileId: number, page: number) => string;
  /** The pages of a document. */
  readonly documentQuery: (fileId: number) => SourceQuery<Schema<'DocumentDto'>>;
  readonly pageTextQuery: (fileId: number, page: number) => SourceQuery<Schema<'PageTextDto'>>;
  readonly searchQuery: (fileId: number, q: string) => SourceQuery<Schema<'TextHitDto'>[]>;
  /** The image of a page, requested only for the error that `<img>` doesn't expose. */
  readonly pageQuery: (fileId: number, page: number, width: number) => SourceQuery<unknown>;
  /** The bytes of a file from its beginning, at most `maxBytes` of them. */
  readonly contentQuery: (file: ReaderFile, maxBytes: number) => SourceQuery<ArrayBuffer>;
  /** Whether readers can enter the password of a locked document. */
  readonly canUnlock: boolean;
  /** Null for guests of links, whose positions aren't stored. */
  readonly positions: PositionSource | null;
  /** Null for guests of links, whose reading isn't recorded. */
  readonly reportReading: typeof reportReading | null;
}

/** Returns when the content of a file was last replaced; undefined if it never was, or isn't told. */
export const replacedAtOf = ({ version = 1, contentUpdatedAt }: ReaderFile): string | undefined =>
  version > 1 ? contentUpdatedAt : undefined;
