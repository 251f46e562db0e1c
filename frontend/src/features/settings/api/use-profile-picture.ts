import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, type Schema } from '../../../shared/api/client';
import { currentUserKey, type CurrentUser } from '../../../shared/api/current-user';
import { uploadFile } from '../../../shared/api/upload';

/** Maximum size in bytes, and the allowed types of a profile picture. */
export const MAX_PICTURE_BYTES = 5 * 2 ** 20;
export const ALLOWED_PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Uploads or removes the user's profile picture, and updates the page immediately. */
export function useProfilePicture() {
  const queryClient = useQueryClient();
  const setCachedPicture = (profileImageUrl: string | null) =>
    queryClient.setQueryData<CurrentUser | null>(currentUserKey, (user) => user && { ...user, profileImageUrl });
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile<Schema<'PictureDto'>>({ url: '/api/user/picture', field: 'file', file }),
    onSuccess: ({ profileImageUrl }) => setCachedPicture(profileImageUrl),
  });
  const remove = useMutation({
    mutationFn: () => api.DELETE('/api/user/picture'),
    onSuccess: () => setCachedPicture(null),
  });
  return { upload, remove };
}
