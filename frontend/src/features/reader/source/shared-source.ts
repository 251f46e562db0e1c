import { api } from '../../../shared/api/client';
import { beginningOf, type PageWidth } from './source-requests';
import type { ReaderSource } from './reader-source';

/** Files that a link shares with its guests. */
export function createSharedSource(token: string): ReaderSource {
  const fileUrl = (id: number) => `/api/shared/${token}/files/${id}`;
  return {
    viewUrl: ({ id }) => `${fileUrl(id)}/view`,
    downloadUrl: ({ id }) => `${fileUrl(id)}/download`,
    pageImageUrl: (id, page, width) => `${fileUrl(id)}/pages/${page}?width=${width}`,
    thumbnailUrl: (id, page) => `${fileUrl(id)}/pages/${page}?width=600&strip`,
    documentQuery: (id) => {
      const init = { params: { path: { token, id } } };
      return {
        queryKey: ['get', '/api/shared/{token}/files/{id}/pages', init],
        queryFn: async ({ signal }) =>
          (await api.GET('/api/shared/{token}/files/{id}/pages', { ...init, signal })).data!,
      };
    },
    pageTextQuery: (id, page) => {
      const init = { params: { path: { token, id, page } } };
      return {
        queryKey: ['get', '/api/shared/{token}/files/{id}/pages/{page}/text', init],
        queryFn: async ({ signal }) =>
          (await api.GET('/api/shared/{token}/files/{id}/pages/{page}/text', { ...init, signal })).data!,
      };
    },
    searchQuery: (id, q) => {
      const init = { params: { path: { token, id }, query: { q } } };
      return {
        queryKey: ['get', '/api/shared/{token}/files/{id}/pages/search', init],
        queryFn: async ({ signal }) =>
          (await api.GET('/api/shared/{token}/files/{id}/pages/search', { ...init, signal })).data!,
      };
    },
    pageQuery: (id, page, width) => {
      const init = { params: { path: { token, id, page }, query: { width: width as PageWidth } } };
      return {
        queryKey: ['get', '/api/shared/{token}/files/{id}/pages/{page}', init],
        queryFn: async ({ signal }) =>
          (await api.GET('/api/shared/{token}/files/{id}/pages/{page}', { ...init, parseAs: 'arrayBuffer', signal }))
            .data,
      };
    },
    contentQuery: (file, maxBytes) => ({
      queryKey: ['get', '/api/shared/{token}/files/{id}/view', token, file.id],
      queryFn: async ({ signal }) => {
        const init = { params: { path: { token, id: file.id } }, headers: beginningOf(file, maxBytes) };
        const { data } = await api.GET('/api/shared/{token}/files/{id}/view', {
          ...init,
          parseAs: 'arrayBuffer',
          signal,
        });
        return data as ArrayBuffer;
      },
    }),
    canUnlock: false,
    positions: null,
    reportReading: null,
  };
}
