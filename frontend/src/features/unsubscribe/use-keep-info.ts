import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/api/client';

export type UnsubscribeInfo = Schema<'UnsubscribeInfoDto'>;

export const infoPath = '/api/unsubscribe/info/{token}';

/** Takes the state that a change answers with for what the page shows. */
export function useKeepInfo(token: string) {
  const queries = useQueryClient();
  return (answer: UnsubscribeInfo) => {
    queries.setQueriesData({ queryKey: ['get', infoPath], predicate: ({ queryKey }) => isOf(queryKey, token) }, answer);
    void queries.invalidateQueries({ queryKey: ['get', '/api/shared-zones'] });
  };
}

function isOf(queryKey: readonly unknown[], token: string): boolean {
  const init = queryKey[2] as { params?: { path?: { token?: string } } } | undefined;
  return init?.params?.path?.token === token;
}
