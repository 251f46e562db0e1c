import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, type Schema } from '../api/client';
import { toPage, type ListPage } from '../api/list-page';
import { listOptions } from './file-lists';

/** URL of the page of a link to a file or folder. */
export const sharedUrl = (token: string) => `/s/${token}`;
export const sharedFolderUrl = (token: string, folderId: number) => `${sharedUrl(token)}/folders/${folderId}`;
export const sharedFileUrl = (token: string, fileId: number) => `${sharedUrl(token)}/files/${fileId}`;

/** History state that the list of a shared folder passes to the reader: going back leads to the list. */
export interface SharedListState {
  readonly inList: true;
}

const PAGE_SIZE = 200;

/** The files of a shared folder by name, paginated. */
export const sharedFilesQuery = (token: string, folderId: number) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: ['get', '/api/shared/{token}/files', { token, folderId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Schema<'SharedFileDto'>>> => {
      const { data, response } = await api.GET('/api/shared/{token}/files', {
        params: { path: { token }, query: { folderId, limit: PAGE_SIZE, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
  });

/** The subfolders of a shared folder by name, paginated. */
export const sharedFoldersQuery = (token: string, folderId: number) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: ['get', '/api/shared/{token}/folders', { token, folderId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Schema<'SharedFolderDto'>>> => {
      const { data, response } = await api.GET('/api/shared/{token}/folders', {
        params: { path: { token }, query: { folderId, limit: PAGE_SIZE, cursor } },
        signal,
      });
      return toPage(data, response.headers);
    },
  });

/** The key of a link's description in the query cache. */
export const sharedLinkKey = (token: string) =>
  ['get', '/api/shared/{token}', { params: { path: { token } } }] as const;
