import MoreVertRounded from '@mui/icons-material/MoreVertRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { displayNameOf } from '../../../shared/format/person';
import { TableCell, TableRow } from '../../../shared/browse/table';
import { useFormat } from '../../../shared/hooks/use-format';
import { UserAvatar } from '../../../shared/ui/user-avatar';
import type { Member } from '../api/use-members';
import { MemberBadges } from './member-badges';

export interface MemberActions {
  edit: (member: Member) => void;
  remove: (member: Member) => void;
  /** Removes the member and hides their future join requests. */
  block: (member: Member) => void;
}

interface Props {
  member: Member;
  /** Position in the list, from 1. */
  rowNumber: number;
  actions?: MemberActions;
}

/** One member; on narrow screens the name is in a second line below the address. */
export function MemberRow({ member, rowNumber, actions }: Props) {
  const format = useFormat();
  const { user } = member;
  const name = displayNameOf({ ...user, email: null });
  return (
    <TableRow rowIndex={rowNumber + 1}>
      <TableCell hideOnMobile isNumeric>
        {format.number(rowNumber)}
      </TableCell>
      <TableCell>
        <UserAvatar person={user} size={28} />
        <Box sx={{ minWidth: 0, py: { xs: 2, md: 0 } }}>
          <Typography noWrap title={user.email}>
            {user.email}
          </Typography>
          <Box sx={{ display: { md: 'none' } }}>
            <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
              {[name, format.date(member.createdAt)].filter(Boolean).join(' · ')}
            </Typography>
            <MemberBadges member={member} />
          </Box>
        </Box>
      </TableCell>
      <TableCell hideOnMobile>
        <Typography noWrap title={name}>
          {name}
        </Typography>
      </TableCell>
      <TableCell hideOnMobile>{format.date(member.createdAt)}</TableCell>
      <TableCell hideOnMobile>
        <MemberBadges member={member} />
      </TableCell>
      <TableCell>{actions && <RowMenu member={member} actions={actions} />}</TableCell>
    </TableRow>
  );
}

function RowMenu({ member, actions }: { member: Member; actions: MemberActions }) {
  const { t } = useTranslation('members');
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const closeAndRun = (action: (member: Member) => void) => () => {
    setAnchor(null);
    action(member);
  };
  return (
    <>
      <IconButton
        edge="end"
        aria-label={t('menu.label', { name: displayNameOf(member.user) })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreVertRounded />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <MenuItem onClick={closeAndRun(actions.edit)}>{t('menu.edit')}</MenuItem>
        <MenuItem onClick={closeAndRun(actions.remove)} sx={{ color: 'error.main' }}>
          {t('menu.remove')}
        </MenuItem>
        <MenuItem onClick={closeAndRun(actions.block)} sx={{ color: 'error.main' }}>
          {t('menu.block')}
        </MenuItem>
      </Menu>
    </>
  );
}
