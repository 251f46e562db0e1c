import { defineEntity, p } from '@mikro-orm/core';
import type { RenderFault, OutlineEntry } from '../../../platform/rendering/rendering-protocol.js';
import { File } from './file.entity.js';

/** `waiting` until its first pages are drawn, `failed` when it cannot be, `none` when there are no pages of its kind here. */
export type DocumentState = 'waiting' | 'ready' | 'failed' | 'none';

/** Whether the texts of all its pages are there: `waiting` from when they were ordered. */
export type TextsState = 'none' | 'waiting' | 'ready';

/** What is known of the pages of a file. Its pictures are made anew from the file at any time. */
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
    /** The object of which it was made: with other contents the file is drawn anew. */
    contentKey: p.string().length(100),
    state: p.string().$type<DocumentState>().length(10),
    failure: p.string().$type<RenderFault>().length(30).nullable(),
    pageCount: p.integer().nullable(),
    /** Width and height of each page in points. */
    sizes: p.json<readonly (readonly [number, number])[]>().nullable(),
    /** When its first pages could be seen. */
    firstAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
    /** Null until it is read. */
    outline: p.json<readonly OutlineEntry[]>().nullable(),
    texts: p.string().$type<TextsState>().length(10).default('none'),
    /** Sheets that are hidden, and whether it has text that tracked changes have deleted, or in layers that are off. */
    hiddenSheets: p.integer().default(0),
    hiddenDeletions: p.boolean().default(false),
    hiddenLayers: p.boolean().default(false),
    /** Names of the files that are attached to it; null until that is known. */
    attachments: p.json<readonly string[]>().nullable(),
  },
});
export class FileDocument extends FileDocumentSchema.class {}
FileDocumentSchema.setClass(FileDocument);

/** The PDF that its pages are drawn of, when it is none itself. */
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

/** A page of it, drawn in one width. */
export const FilePageSchema = defineEntity({
  name: 'FilePage',
  tableName: 'file_pages',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** From 1. */
    page: p.integer().primary(),
    /** As it was asked for, in pixels. */
    width: p.smallint().primary(),
    objectKey: p.string().length(100).unique('file_pages_object_key_unique'),
    /** Bytes. */
    size: p.integer(),
  },
});
export class FilePage extends FilePageSchema.class {}
FilePageSchema.setClass(FilePage);

/** What a page of it says. */
export const FilePageTextSchema = defineEntity({
  name: 'FilePageText',
  tableName: 'file_page_texts',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** From 1. */
    page: p.integer().primary(),
    /** Its words, a space between two; none after U+00AD, at which a word goes on in the next line. */
    text: p.text(),
    /** What it is found by. */
    searchText: p.text().nullable().generated(`(search_fold(replace(text, '\u00ad'::text, ''::text))) stored`),
    /** The object with words, where they stand, and links; null of a page with none of them. */
    layerKey: p.string().length(100).nullable().unique('file_page_texts_layer_key_unique'),
  },
});
export class FilePageText extends FilePageTextSchema.class {}
FilePageTextSchema.setClass(FilePageText);

/** A page of it that cannot be drawn, while others can. */
export const FileBrokenPageSchema = defineEntity({
  name: 'FileBrokenPage',
  tableName: 'file_broken_pages',
  properties: {
    file: () => p.manyToOne(FileDocument).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    /** From 1. */
    page: p.integer().primary(),
    failure: p.string().$type<RenderFault>().length(30),
  },
});
export class FileBrokenPage extends FileBrokenPageSchema.class {}
FileBrokenPageSchema.setClass(FileBrokenPage);
