import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { currentUserKey, type CurrentUser } from '../../../shared/api/current-user';
import { uploadFile } from '../../../shared/api/upload';

/** Most bytes of a picture, and the types that it may have. */
export const pictureLimit = 5 * 2 ** 20;
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Uploads a picture of the signed-in person, or removes it; the page shows the new state at once. */
export function usePicture() {
  const queries = useQueryClient();
  const show = (profileImageUrl: string | null) =>
    queries.setQueryData<CurrentUser | null>(currentUserKey, (user) => user && { ...user, profileImageUrl });
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile<Schema<'PictureDto'>>({ url: '/api/user/picture', field: 'file', file }),
    onSuccess: ({ profileImageUrl }) => show(profileImageUrl),
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/user/picture'),
    onSuccess: () => show(null),
  });
  return { upload, remove };
}
