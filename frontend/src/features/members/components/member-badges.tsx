import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge } from '../../../shared/ui/badge';
import type { Member } from '../api/use-members';

/** The role of a member, and anything unusual: an expiry date, or emails turned off. */
export function MemberBadges({ member }: { member: Member }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const { role, expiresAt, isExpired, getsMails } = member;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, py: 1 }}>
      <Badge tone={role === 'admin' ? 'accent' : 'neutral'}>{t(`roles.${role}`)}</Badge>
      {expiresAt !== null && (
        <Badge tone={isExpired ? 'danger' : 'neutral'}>
          {t(isExpired ? 'ended' : 'ends', { date: format.date(expiresAt) })}
        </Badge>
      )}
      {!getsMails && <Badge>{t('noMails')}</Badge>}
    </Box>
  );
}
