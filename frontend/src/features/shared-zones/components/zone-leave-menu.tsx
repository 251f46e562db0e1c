import LogoutRounded from '@mui/icons-material/LogoutRounded';
import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { parseId, useZone } from '../../../shared/api/use-zone';
import { LeaveZoneDialog } from './leave-zone-dialog';

/** Leave action in the header of a shared zone. */
export function ZoneLeaveMenu() {
  const { t } = useTranslation('sharedZones');
  const { data: zone } = useZone(parseId(useParams().zoneId));
  const navigate = useNavigate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isDialogOpen, setDialogOpen] = useState(false);
  const openDialog = () => {
    setAnchor(null);
    setDialogOpen(true);
  };
  if (!zone) return null;
  return (
    <>
      <IconButton
        aria-label={t('leave.menu')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu
        container={() => document.getElementById('main')}
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ list: { 'aria-label': t('leave.menu') } }}
      >
        <MenuItem onClick={openDialog}>
          <LogoutRounded />
          {t('leave.action')}
        </MenuItem>
      </Menu>
      <LeaveZoneDialog
        zone={isDialogOpen ? zone : null}
        onClose={() => setDialogOpen(false)}
        // Navigates before the zone is refetched, which would show that it doesn't exist.
        onLeft={() => void navigate('/shared-zones')}
      />
    </>
  );
}
