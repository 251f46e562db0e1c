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

const notificationFields = ['notifyAcceptedInvitations', 'notifySuggestions'] as const;
const adminNotificationFields = ['notifyAdministration'] as const;
type NotificationField = (typeof notificationFields | typeof adminNotificationFields)[number];

/** Which notifications the user gets by email. Each choice is saved immediately. */
export function NotificationsSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const helpId = useId();
  return (
    <Section id="notices" title={t('notices.title')} text={t('notices.text')}>
      <SectionBody>
        <Stack>
          {[...notificationFields, ...(isAdmin(user) ? adminNotificationFields : [])].map((field) => (
            <NotificationCheckbox key={field} field={field} user={user} describedBy={helpId} />
          ))}
        </Stack>
        <FormHelperText id={helpId} sx={{ mx: 0 }}>
          {t('notices.help')}
        </FormHelperText>
      </SectionBody>
    </Section>
  );
}

function NotificationCheckbox({
  field,
  user,
  describedBy,
}: {
  field: NotificationField;
  user: CurrentUser;
  describedBy: string;
}) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const saveProfile = useSaveProfile();
  // Shows the new choice while it is being saved.
  const [isEnabled, setIsEnabled] = useState(user[field]);
  const saveSetting = (next: boolean) => {
    setIsEnabled(next);
    saveProfile.mutate(
      { [field]: next },
      {
        onSuccess: () => toast.success(t(`notices.${field}.${next ? 'on' : 'off'}`)),
        onError: (error) => {
          setIsEnabled(!next);
          toast.error(t('profile.failed'), errorText(error));
        },
      },
    );
  };
  return (
    <FormControlLabel
      label={t(`notices.${field}.label`)}
      control={
        <Checkbox
          checked={isEnabled}
          disabled={saveProfile.isPending}
          onChange={(event) => saveSetting(event.target.checked)}
          slotProps={{ input: { 'aria-describedby': describedBy } }}
        />
      }
    />
  );
}
