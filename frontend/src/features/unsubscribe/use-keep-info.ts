import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '../../shared/api/client';
import { touch } from '../../shared/api/touch';

export type UnsubscribeInfo = Schema<'UnsubscribeInfoDto'>;

export const infoPath = '/api/unsubscribe/info/{token}';

/** Takes the state that a change answers with for what the page shows. */
export function useKeepInfo(token: string) {
  const queries = useQueryClient();
  return (answer: UnsubscribeInfo) => {
    queries.setQueriesData({ queryKey: ['get', infoPath], predicate: ({ queryKey }) => isOf(queryKey, token) }, answer);
    void touch(queries, 'POST /api/unsubscribe/{token}');
  };
}

function isOf(queryKey: readonly unknown[], token: string): boolean {
  const init = queryKey[2] as { params?: { path?: { token?: string } } } | undefined;
  return init?.params?.path?.token === token;
}
