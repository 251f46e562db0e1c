import PersonAddRounded from '@mui/icons-material/PersonAddRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useParams } from 'react-router';
import { toId } from '../../shared/api/use-zone';
import { InviteDialog } from './components/invite-dialog';

const main = { variant: 'contained', color: 'primary' } as const;

/** The button of a zone by which people are invited to it: the main one among its members, a quiet one elsewhere. */
export function InviteAction() {
  const { t } = useTranslation('invitations');
  const zoneId = toId(useParams().zoneId);
  const isMain = useLocation().pathname.endsWith('/members');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...(isMain && main)} startIcon={<PersonAddRounded />} onClick={() => setOpen(true)}>
        {t('action')}
      </Button>
      <InviteDialog zoneId={zoneId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
