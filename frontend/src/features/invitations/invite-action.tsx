import PersonAddRounded from '@mui/icons-material/PersonAddRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router';
import { parseId } from '../../shared/api/use-zone';
import { InviteDialog } from './components/invite-dialog';

const primaryButtonProps = { variant: 'contained', color: 'primary' } as const;

/** Button to invite people to a zone: primary on the members tab, secondary elsewhere. */
export function InviteButton() {
  const { t } = useTranslation('invitations');
  const zoneId = parseId(useParams().zoneId);
  const isPrimary = useLocation().pathname.endsWith('/members');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...(isPrimary && primaryButtonProps)} startIcon={<PersonAddRounded />} onClick={() => setOpen(true)}>
        {t('action')}
      </Button>
      <InviteDialog zoneId={zoneId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
