import { defineEntity, p } from '@mikro-orm/core';
import type { RenderFailure, OutlineEntry } from '../../../platform/rendering/rendering-protocol.js';
import { File } from './file.entity.js';

/**
 * `waiting`: the first pages are not rendered yet. `failed`: the document can't be rendered. `none`: this server can't
 * render pages of this type.
 */
export type DocumentState = 'waiting' | 'ready' | 'failed' | 'none';

/** Whether the texts of all pages are extracted; `waiting` from the moment the extraction is enqueued. */
export type TextsState = 'none' | 'waiting' | 'ready';

/** Metadata about the pages of a file. The rendered images can be regenerated from the file at any time. */
export const FileDocumentSchema = defineEntity({
  name: 'FileDocument',
  tableName: 'file_documents',
  indexes: [
    {
      name: 'file_documents_waiting_index',
      expression:
        'create index "file_documents_waiting_index" on "file_documents" ("state", "file_id") where "state" = \'waiting\'',
    },
  ],
  checks: [
    { name: 'file_documents_state_check', expression: "state in ('waiting', 'ready', 'failed', 'none')" },
    { name: 'file_documents_failure_check', expression: "(state in ('failed', 'none')) = (failure is not null)" },
    { name: 'file_documents_texts_check', expression: "texts in ('none', 'waiting', 'ready')" },
  ],
  properties: {
    file: () => p.manyToOne(File).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /**
     * Key of the object from which the pages were rendered. If the file's key differs, the document is rendered again.
     */
    contentKey: p.string().length(100),
    state: p.string().$type<DocumentState>().length(10),
    failure: p.string().$type<RenderFailure>().length(30).nullable(),
    pageCount: p.integer().nullable(),
    /** Width and height of each page in points. */
    sizes: p.json<readonly (readonly [number, number])[]>().nullable(),
    /** When the first pages became available. */
    firstAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
    /** Null until the outline is read. */
    outline: p.json<readonly OutlineEntry[]>().nullable(),
    texts: p.string().$type<TextsState>().length(10).default('none'),
    /**
     * Number of hidden sheets, and whether the document has text deleted by tracked changes or text in hidden layers.
     */
    hiddenSheets: p.integer().default(0),
    hiddenDeletions: p.boolean().default(false),
    hiddenLayers: p.boolean().default(false),
    /** Names of the attached files; null until they are known. */
    attachments: p.json<readonly string[]>().nullable(),
  },
});
export class FileDocument extends FileDocumentSchema.class {}
FileDocumentSchema.setClass(FileDocument);

/** The PDF from which pages are rendered, for documents that are not PDFs themselves. */
export const FilePdfSchema = defineEntity({
  name: 'FilePdf',
  tableName: 'file_pdfs',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    objectKey: p.string().length(100).unique('file_pdfs_object_key_unique'),
    /** Bytes. */
    size: p.integer(),
  },
});
export class FilePdf extends FilePdfSchema.class {}
FilePdfSchema.setClass(FilePdf);

/** A page rendered at one width. */
export const FilePageSchema = defineEntity({
  name: 'FilePage',
  tableName: 'file_pages',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** Starts at 1. */
    page: p.integer().primary(),
    /** Requested width in pixels. */
    width: p.smallint().primary(),
    objectKey: p.string().length(100).unique('file_pages_object_key_unique'),
    /** Bytes. */
    size: p.integer(),
  },
});
export class FilePage extends FilePageSchema.class {}
FilePageSchema.setClass(FilePage);

/** The extracted text of a page. */
export const FilePageTextSchema = defineEntity({
  name: 'FilePageText',
  tableName: 'file_page_texts',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** Starts at 1. */
    page: p.integer().primary(),
    /**
     * The words, separated by spaces. There is no space after a soft hyphen (U+00AD), which marks a word that continues
     * on the next line.
     */
    text: p.text(),
    /** Normalised text for searching. */
    searchText: p.text().nullable().generated(`(search_fold(replace(text, '\u00ad'::text, ''::text))) stored`),
    /** Key of the object with words, their positions and links; null if the page has none of them. */
    layerKey: p.string().length(100).nullable().unique('file_page_texts_layer_key_unique'),
  },
});
export class FilePageText extends FilePageTextSchema.class {}
FilePageTextSchema.setClass(FilePageText);

/** A page that can't be rendered although others of the document can. */
export const FileBrokenPageSchema = defineEntity({
  name: 'FileBrokenPage',
  tableName: 'file_broken_pages',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** Starts at 1. */
    page: p.integer().primary(),
    failure: p.string().$type<RenderFailure>().length(30),
  },
});
export class FileBrokenPage extends FileBrokenPageSchema.class {}
FileBrokenPageSchema.setClass(FileBrokenPage);
