import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client';
import { createPasskey } from './browser-passkeys';
import { requireData, useInvalidateFactors, type Factors } from './use-factors';

export type Passkey = Factors['passkeys'][number];

/** Adds, renames and removes passkeys, and refreshes the list. */
export function usePasskeyMutations() {
  const invalidateFactors = useInvalidateFactors();
  const add = useMutation({
    mutationFn: async (name: string) => {
      const options = requireData((await api.POST('/api/user/passkeys/options')).data);
      const response = await createPasskey(options);
      return requireData((await api.POST('/api/user/passkeys', { body: { name, response } })).data);
    },
    // Recovery codes that come with the first passkey are shown before anything re-renders.
    gcTime: 0,
    onSuccess: ({ recoveryCodes }) => (recoveryCodes.length > 0 ? undefined : invalidateFactors()),
  });
  const rename = useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      api.PATCH('/api/user/passkeys/{id}', { params: { path: { id } }, body: { name } }),
    onSettled: invalidateFactors,
  });
  const remove = useMutation({
    mutationFn: (id: number) => api.DELETE('/api/user/passkeys/{id}', { params: { path: { id } } }),
    onSettled: invalidateFactors,
  });
  return { add, rename, remove, invalidateFactors };
}
