import { api } from '../../../shared/api/client';
import { downloadUrl, viewUrl } from '../../../shared/files/preview-kind';
import type { ReaderSource } from './reader-source';
import { reportReading, savePosition } from './keepalive-requests';
import { beginningOf, type PageWidth } from './source-requests';

/** Files in the zones of the signed-in user. */
export const zoneSource: ReaderSource = {
  viewUrl,
  downloadUrl,
  pageImageUrl: (id, page, width) => `/api/files/${id}/pages/${page}?width=${width}`,
  thumbnailUrl: (id, page) => `/api/files/${id}/pages/${page}?width=600&strip`,
  documentQuery: (id) => {
    const init = { params: { path: { id } } };
    return {
      queryKey: ['get', '/api/files/{id}/pages', init],
      queryFn: async ({ signal }) => (await api.GET('/api/files/{id}/pages', { ...init, signal })).data!,
    };
  },
  pageTextQuery: (id, page) => {
    const init = { params: { path: { id, page } } };
    return {
      queryKey: ['get', '/api/files/{id}/pages/{page}/text', init],
      queryFn: async ({ signal }) => (await api.GET('/api/files/{id}/pages/{page}/text', { ...init, signal })).data!,
    };
  },
  searchQuery: (id, q) => {
    const init = { params: { path: { id }, query: { q } } };
    return {
      queryKey: ['get', '/api/files/{id}/pages/search', init],
      queryFn: async ({ signal }) => (await api.GET('/api/files/{id}/pages/search', { ...init, signal })).data!,
    };
  },
  pageQuery: (id, page, width) => {
    const init = { params: { path: { id, page }, query: { width: width as PageWidth } } };
    return {
      queryKey: ['get', '/api/files/{id}/pages/{page}', init],
      queryFn: async ({ signal }) =>
        (await api.GET('/api/files/{id}/pages/{page}', { ...init, parseAs: 'arrayBuffer', signal })).data,
    };
  },
  contentQuery: (file, maxBytes) => {
    const init = { params: { path: { id: file.id } }, headers: beginningOf(file, maxBytes) };
    return {
      queryKey: ['get', '/api/files/{id}/view', init, file.updatedAt],
      queryFn: async ({ signal }) => {
        const { data } = await api.GET('/api/files/{id}/view', { ...init, parseAs: 'arrayBuffer', signal });
        return data as ArrayBuffer;
      },
    };
  },
  canUnlock: true,
  positions: {
    query: (id) => {
      const init = { params: { path: { id } } };
      return {
        queryKey: ['get', '/api/files/{id}/position', init],
        queryFn: async ({ signal }) => (await api.GET('/api/files/{id}/position', { ...init, signal })).data!,
      };
    },
    save: savePosition,
  },
  reportReading,
};
