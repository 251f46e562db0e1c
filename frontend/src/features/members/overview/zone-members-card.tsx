import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schema } from '../../../shared/api/client';
import { displayNameOf } from '../../../shared/format/person';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import { UserAvatar } from '../../../shared/ui/user-avatar';

type Zone = Schema<'ZoneMembersDto'>;

/** The newest members of a zone, with a link to all of them. */
export function ZoneMembersCard({ zone }: { zone: Zone }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const id = useId();
  const { zoneId, zoneName, memberCount, members } = zone;
  return (
    <Card component="section" aria-labelledby={id}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: 52, px: 4, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography id={id} variant="h3" component="h2" sx={{ overflowWrap: 'anywhere' }}>
            {zoneName}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('count', { count: memberCount, formatted: format.number(memberCount) })}
          </Typography>
        </Box>
        <Button
          component={Link}
          to={`/zones/${zoneId}/members`}
          aria-label={t('overview.openOf', { zone: zoneName })}
          sx={{ flex: 'none' }}
        >
          {t('overview.open')}
        </Button>
      </Box>
      {members.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 4, pb: 4 }}>
          {t('overview.none')}
        </Typography>
      )}
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {members.map((member) => (
          <MemberItem key={member.id} member={member} />
        ))}
      </Box>
    </Card>
  );
}

function MemberItem({ member: { user, role, createdAt } }: { member: Zone['members'][number] }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const name = displayNameOf(user);
  const details = [user.username && `@${user.username}`, name === user.email ? null : user.email].filter(Boolean);
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 3,
        rowGap: 1,
        minHeight: 52,
        px: 4,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <UserAvatar person={user} />
      <Box sx={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="subtitle2">{name}</Typography>
        {details.length > 0 && (
          <Typography variant="body2" color="textSecondary">
            {details.join(' · ')}
          </Typography>
        )}
      </Box>
      <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{t(`roles.${role}`)}</Badge>
      <Typography variant="body2" color="textSecondary">
        {t('overview.joined', { date: format.date(createdAt) })}
      </Typography>
    </Box>
  );
}
