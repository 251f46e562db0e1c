import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/api/client';
import { invalidate } from '../../shared/api/invalidate';

export type UnsubscribeInfo = Schema<'UnsubscribeInfoDto'>;

export const unsubscribeInfoPath = '/api/unsubscribe/info/{token}';

/** Caches the state returned by a change, which the page shows. */
export function useCacheUnsubscribeInfo(token: string) {
  const queryClient = useQueryClient();
  return (info: UnsubscribeInfo) => {
    queryClient.setQueriesData(
      { queryKey: ['get', unsubscribeInfoPath], predicate: ({ queryKey }) => hasToken(queryKey, token) },
      info,
    );
    void invalidate(queryClient, 'POST /api/unsubscribe/{token}');
  };
}

function hasToken(queryKey: readonly unknown[], token: string): boolean {
  const init = queryKey[2] as { params?: { path?: { token?: string } } } | undefined;
  return init?.params?.path?.token === token;
}
