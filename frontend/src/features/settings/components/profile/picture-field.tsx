import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import { useId, useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { toast } from '../../../../shared/toast/toast-store';
import { UserAvatar } from '../../../../shared/ui/user-avatar';
import { MAX_PICTURE_BYTES, ALLOWED_PICTURE_TYPES, useProfilePicture } from '../../api/use-profile-picture';
import { PictureDialog, type SelectedPicture } from './picture-dialog';
import { SectionBody } from '../section';

const AVATAR_SIZE = 72;

/** The user's picture, or the first letter of the name, with actions to change it. */
export function PictureField({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const helpId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<SelectedPicture | null>(null);
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const { upload, remove } = useProfilePicture();

  const selectFile = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0] ?? null;
    // Lets the same file be chosen again after an error.
    event.target.value = '';
    const errorKey = file && validatePictureFile(file);
    setErrorMessage(errorKey ? t(errorKey) : null);
    if (file && !errorKey) setPicture({ file, url: URL.createObjectURL(file) });
  };
  const discardPicture = () => {
    if (picture) URL.revokeObjectURL(picture.url);
    setPicture(null);
  };
  const showError = (message: string) => {
    discardPicture();
    setErrorMessage(message);
  };
  const uploadPicture = (file: File) =>
    upload.mutate(file, {
      onSuccess: () => {
        discardPicture();
        toast.success(t('picture.saved'));
      },
      onError: (error) => showError(errorText(error)),
    });
  const removePicture = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast.success(t('picture.removed')),
      onError: (error) => toast.error(t('picture.failed'), errorText(error)),
    });
  return (
    <SectionBody>
      <Box role="group" aria-label={t('picture.label')} sx={{ display: 'flex', alignItems: 'center', gap: 4, mb: -5 }}>
        <UserAvatar person={user} size={AVATAR_SIZE} />
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <Button onClick={() => inputRef.current?.click()} aria-describedby={helpId}>
              {user.profileImageUrl ? t('picture.change') : t('picture.upload')}
            </Button>
            {user.profileImageUrl && (
              <Button variant="text" loading={remove.isPending} loadingPosition="start" onClick={removePicture}>
                {t('picture.remove')}
              </Button>
            )}
          </Box>
          <FormHelperText
            id={helpId}
            error={errorMessage !== null}
            role={errorMessage ? 'alert' : undefined}
            sx={{ mx: 0 }}
          >
            {errorMessage ?? t('picture.help')}
          </FormHelperText>
        </Box>
        <input
          ref={inputRef}
          type="file"
          hidden
          accept={ALLOWED_PICTURE_TYPES.join(',')}
          aria-label={t('picture.upload')}
          onChange={selectFile}
        />
      </Box>
      <PictureDialog
        picture={picture}
        isUploading={upload.isPending}
        onConfirm={uploadPicture}
        onUnreadable={() => showError(t('picture.unreadable'))}
        onClose={discardPicture}
      />
    </SectionBody>
  );
}

function validatePictureFile(file: File): 'picture.wrongType' | 'picture.tooLarge' | null {
  if (!ALLOWED_PICTURE_TYPES.includes(file.type)) return 'picture.wrongType';
  return file.size > MAX_PICTURE_BYTES ? 'picture.tooLarge' : null;
}
