import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../../shared/hooks/use-now';
import { getExpiry } from '../expiry';
import type { SharedZone } from '../sort-shared-zones';
import { LeaveZoneDialog } from './leave-zone-dialog';

/** Button to leave a zone, while the membership is active. */
export function LeaveZoneButton({ zone }: { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  const [open, setOpen] = useState(false);
  if (getExpiry(zone.memberExpiresAt, useNow()).kind === 'expired') return null;
  return (
    <>
      <Button variant="text" aria-label={t('leave.actionOf', { name: zone.name })} onClick={() => setOpen(true)}>
        {t('leave.action')}
      </Button>
      <LeaveZoneDialog zone={open ? zone : null} onClose={() => setOpen(false)} />
    </>
  );
}
