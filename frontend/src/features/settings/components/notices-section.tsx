import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../shared/account/use-save-profile';
import { isAdmin, type CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { Section, SectionBody } from './section';

const notices = ['notifyAcceptedInvitations', 'notifySuggestions'] as const;
const staffNotices = ['notifyAdministration'] as const;
type Notice = (typeof notices | typeof staffNotices)[number];

/** Which mails tell of what happens to what is one's own. Each is saved when it is chosen. */
export function NoticesSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const id = useId();
  return (
    <Section id="notices" title={t('notices.title')} text={t('notices.text')}>
      <SectionBody>
        <Stack>
          {[...notices, ...(isAdmin(user) ? staffNotices : [])].map((notice) => (
            <NoticeBox key={notice} notice={notice} user={user} describedBy={id} />
          ))}
        </Stack>
        <FormHelperText id={id} sx={{ mx: 0 }}>
          {t('notices.help')}
        </FormHelperText>
      </SectionBody>
    </Section>
  );
}

function NoticeBox({ notice, user, describedBy }: { notice: Notice; user: CurrentUser; describedBy: string }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const save = useSaveProfile();
  // What was just chosen is shown while it is being saved.
  const [wanted, setWanted] = useState(user[notice]);
  const change = (next: boolean) => {
    setWanted(next);
    save.mutate(
      { [notice]: next },
      {
        onSuccess: () => toast.success(t(`notices.${notice}.${next ? 'on' : 'off'}`)),
        onError: (error) => {
          setWanted(!next);
          toast.error(t('profile.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <FormControlLabel
      label={t(`notices.${notice}.label`)}
      control={
        <Checkbox
          checked={wanted}
          disabled={save.isPending}
          onChange={(event) => change(event.target.checked)}
          slotProps={{ input: { 'aria-describedby': describedBy } }}
        />
      }
    />
  );
}
