import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import { useId, useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { toast } from '../../../../shared/toast/toast-store';
import { UserAvatar } from '../../../../shared/ui/user-avatar';
import { pictureLimit, pictureTypes, usePicture } from '../../api/use-picture';
import { PictureDialog, type ChosenPicture } from './picture-dialog';
import { SectionBody } from '../section';

const size = 72;

/** The picture of the person, or the first letter of the name, and the ways to change it. */
export function PictureField({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ChosenPicture | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { upload, remove } = usePicture();

  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0] ?? null;
    // The same file can be chosen again after it was refused.
    event.target.value = '';
    const wrong = file && refusalOf(file);
    setRefusal(wrong ? t(wrong) : null);
    if (file && !wrong) setChosen({ file, url: URL.createObjectURL(file) });
  };
  const drop = () => {
    if (chosen) URL.revokeObjectURL(chosen.url);
    setChosen(null);
  };
  const fail = (sentence: string) => {
    drop();
    setRefusal(sentence);
  };
  const use = (file: File) =>
    upload.mutate(file, {
      onSuccess: () => {
        drop();
        toast.success(t('picture.saved'));
      },
      onError: (error) => fail(errorText(error)),
    });
  const takeAway = () =>
    remove.mutate(undefined, {
      onSuccess: () => toast.success(t('picture.removed')),
      onError: (error) => toast.error(t('picture.failed'), errorText(error)),
    });
  return (
    <SectionBody>
      <Box role="group" aria-label={t('picture.label')} sx={{ display: 'flex', alignItems: 'center', gap: 4, mb: -5 }}>
        <UserAvatar person={user} size={size} />
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
            <Button onClick={() => input.current?.click()} aria-describedby={noteId}>
              {user.profileImageUrl ? t('picture.change') : t('picture.upload')}
            </Button>
            {user.profileImageUrl && (
              <Button variant="text" loading={remove.isPending} loadingPosition="start" onClick={takeAway}>
                {t('picture.remove')}
              </Button>
            )}
          </Box>
          <FormHelperText id={noteId} error={refusal !== null} role={refusal ? 'alert' : undefined} sx={{ mx: 0 }}>
            {refusal ?? t('picture.help')}
          </FormHelperText>
        </Box>
        <input
          ref={input}
          type="file"
          hidden
          accept={pictureTypes.join(',')}
          aria-label={t('picture.upload')}
          onChange={choose}
        />
      </Box>
      <PictureDialog
        chosen={chosen}
        sending={upload.isPending}
        onUse={use}
        onUnreadable={() => fail(t('picture.unreadable'))}
        onClose={drop}
      />
    </SectionBody>
  );
}

function refusalOf(file: File): 'picture.wrongType' | 'picture.tooLarge' | null {
  if (!pictureTypes.includes(file.type)) return 'picture.wrongType';
  return file.size > pictureLimit ? 'picture.tooLarge' : null;
}
