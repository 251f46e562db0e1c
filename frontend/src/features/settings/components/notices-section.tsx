import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../shared/account/use-save-profile';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { Section, SectionBody } from './section';

/** Which mails tell of what happens in one's zones. Saved when it is chosen. */
export function NoticesSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const id = useId();
  const save = useSaveProfile();
  // What was just chosen is shown while it is being saved.
  const [accepted, setAccepted] = useState(user.notifyAcceptedInvitations);
  const change = (notifyAcceptedInvitations: boolean) => {
    setAccepted(notifyAcceptedInvitations);
    save.mutate(
      { notifyAcceptedInvitations },
      {
        onSuccess: () => toast.success(t(notifyAcceptedInvitations ? 'notices.on' : 'notices.off')),
        onError: (error) => {
          setAccepted(!notifyAcceptedInvitations);
          toast.error(t('profile.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <Section id="notices" title={t('notices.title')} text={t('notices.text')}>
      <SectionBody>
        <FormControlLabel
          label={t('notices.accepted')}
          control={
            <Checkbox
              checked={accepted}
              disabled={save.isPending}
              onChange={(event) => change(event.target.checked)}
              slotProps={{ input: { 'aria-describedby': id } }}
            />
          }
        />
        <FormHelperText id={id} sx={{ mx: 0 }}>
          {t('notices.acceptedHelp')}
        </FormHelperText>
      </SectionBody>
    </Section>
  );
}
