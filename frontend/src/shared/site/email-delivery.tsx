import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../account/home-preference';
import { useCurrentUser, type CurrentUser } from '../api/current-user';
import { useIsMobile } from '../hooks/use-is-mobile';
import { toast } from '../toast/toast-store';

/** Whether this installation's emails are delivered, as reported for the signed-in user; `working` until known. */
export function useEmailDelivery(): CurrentUser['emailDelivery'] {
  return useCurrentUser().data?.emailDelivery ?? 'working';
}

/** Text shown after an email was requested: that it was sent, or that it is held back because no mail server is set. */
export function useEmailSentText(): (sentText: string) => string {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (sentText) => (isDeliveryOff ? t('email.onHold') : sentText);
}

/** Shows a toast that an email was sent, or that it is held back because no mail server is set. */
export function useEmailToast(): (title: string, message?: string) => void {
  const { t } = useTranslation();
  const isDeliveryOff = useEmailDelivery() === 'none';
  return (title, message) =>
    isDeliveryOff
      ? toast.show({ title: t('email.onHold'), message: t('email.onHoldText') })
      : toast.success(title, message);
}

/**
 * Shown on every page of users who send emails, until a mail server has accepted one. On phones it is one line that
 * expands.
 */
export function EmailDeliveryBanner({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const isMobile = useIsMobile();
  const [isExpanded, setExpanded] = useState(false);
  const { emailDelivery, isSuperAdmin } = user;
  if (emailDelivery === 'working' || (!isSuperAdmin && hasNoOwnZones(user))) return null;
  const settingsLink = isSuperAdmin && (
    <Button size="small" component={Link} to="/admin/installation">
      {t(emailDelivery === 'none' ? 'email.setUp' : 'email.settings')}
    </Button>
  );
  const text = t(`email.${emailDelivery}.${isSuperAdmin ? 'operator' : 'creator'}`);
  if (!isMobile) {
    return (
      <Alert
        severity="warning"
        role="note"
        action={settingsLink}
        sx={{
          mb: 6,
          alignItems: 'center',
          '& .MuiAlert-message': { flex: 1, minWidth: 0 },
          '& .MuiAlert-action': { p: 0, mr: 0, ml: 'auto' },
        }}
      >
        {text}
      </Alert>
    );
  }
  return (
    <Alert
      severity="warning"
      role="note"
      sx={{
        mb: 4,
        py: 0,
        px: 3,
        '& .MuiAlert-icon': { mr: 2, height: 44, alignItems: 'center', p: 0 },
        '& .MuiAlert-message': { flex: 1, minWidth: 0, p: 0 },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 44 }}>
        <Box sx={{ flex: 1 }}>{t(`email.short.${emailDelivery}`)}</Box>
        <Button
          variant="text"
          size="small"
          color="inherit"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {t('email.details')}
        </Button>
      </Box>
      {isExpanded && (
        <Box sx={{ pb: 3 }}>
          <Box component="p" sx={{ m: 0, mb: settingsLink ? 2 : 0 }}>
            {text}
          </Box>
          {settingsLink}
        </Box>
      )}
    </Alert>
  );
}
