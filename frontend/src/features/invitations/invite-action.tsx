import PersonAddRounded from '@mui/icons-material/PersonAddRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { toId } from '../../shared/api/use-zone';
import { InviteDialog } from './components/invite-dialog';

/** The button of a zone by which people are invited to it. */
export function InviteAction() {
  const { t } = useTranslation('invitations');
  const zoneId = toId(useParams().zoneId);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="contained" color="primary" startIcon={<PersonAddRounded />} onClick={() => setOpen(true)}>
        {t('action')}
      </Button>
      <InviteDialog zoneId={zoneId} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
