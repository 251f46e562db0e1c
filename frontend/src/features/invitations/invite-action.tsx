import PersonAddRounded from '@mui/icons-material/PersonAddRounded';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router';
import { parseId } from '../../shared/api/use-zone';
import { useIsMobile } from '../../shared/hooks/use-is-mobile';
import { InviteDialog } from './components/invite-dialog';

const primaryButtonProps = { variant: 'contained', color: 'primary' } as const;

/** Button to invite people to a zone: primary on the members tab, secondary elsewhere. On phones only its icon. */
export function InviteButton() {
  const { t } = useTranslation('invitations');
  const zoneId = parseId(useParams().zoneId);
  const isPrimary = useLocation().pathname.endsWith('/members');
  const isMobile = useIsMobile();
  const [open, setOpen] = useState(false);
  return (
    <>
      {isMobile ? (
        <Tooltip title={t('action')}>
          <IconButton
            aria-label={t('action')}
            sx={isPrimary ? { color: 'primary.main' } : undefined}
            onClick={() => setOpen(true)}
          >
            <PersonAddRounded />
          </IconButton>
        </Tooltip>
      ) : (
        <Button {...(isPrimary && primaryButtonProps)} startIcon={<PersonAddRounded />} onClick={() => setOpen(true)}>
          {t('action')}
        </Button>
      )}
      <InviteDialog zoneId={zoneId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
