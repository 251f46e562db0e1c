import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { makePasskey } from './browser-passkeys';
import { contentOf, useRefreshFactors, type Factors } from './use-factors';

export type Passkey = Factors['passkeys'][number];

/** Adds, renames and removes passkeys; the list follows. */
export function usePasskeyChanges() {
  const refresh = useRefreshFactors();
  const add = useMutation({
    mutationFn: async (name: string) => {
      const options = contentOf((await api.POST('/api/user/passkeys/options')).data);
      const response = await makePasskey(options);
      return contentOf((await api.POST('/api/user/passkeys', { body: { name, response } })).data);
    },
    // Recovery codes that come with the first one are shown before anything is drawn anew.
    gcTime: 0,
    onSuccess: ({ recoveryCodes }) => (recoveryCodes.length > 0 ? undefined : refresh()),
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      api.PATCH('/api/user/passkeys/{id}', { params: { path: { id } }, body: { name } }),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/passkeys/{id}', { params: { path: { id } } }),
    onSettled: refresh,
  });
  return { add, rename, remove, refresh };
}
