import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { useTimeZone } from '../../../shared/hooks/use-time-zone';
import type { LinkItem } from '../api/use-links';
import { fillMissingDays } from '../link-time';
import { useLinkActions } from '../use-link-actions';
import { LinkMenu, type LinkAction } from './link-menu';
import { GuessingWarning, LinkName, LinkUsage } from './link-state';
import { Sparkline } from './sparkline';

interface Props {
  link: LinkItem;
  onOpen: (what: LinkAction) => void;
}

/** A temporary link: its state, what is left of it, and the joins of the last 30 days. */
export function LinkRow({ link, onOpen }: Props) {
  const { t } = useTranslation('links');
  const { copy, setActive } = useLinkActions();
  const label = t('copyOf', { name: link.name });
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) 128px 96px auto' },
        alignItems: 'center',
        columnGap: 4,
        rowGap: 2,
        py: 3,
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <LinkDetails link={link} />
      <Box sx={{ display: 'flex', justifySelf: 'end', order: { xs: 1, sm: 3 } }}>
        <Tooltip title={label}>
          <IconButton aria-label={label} onClick={() => void copy(link)}>
            <ContentCopyRounded />
          </IconButton>
        </Tooltip>
        <LinkMenu
          link={link}
          onOpen={onOpen}
          onCopy={() => void copy(link)}
          onActiveChange={(isActive) => void setActive(link, isActive)}
        />
      </Box>
      <Box sx={{ order: 2 }}>
        <LinkUsage link={link} />
      </Box>
      <Box sx={{ order: 2, justifySelf: 'end' }}>
        <JoinSparkline link={link} />
      </Box>
    </Box>
  );
}

function LinkDetails({ link }: { link: LinkItem }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const when = format.dateTime(link.expiresAt);
  const facts = [
    t(link.isExpired ? 'ended' : 'ends', { when }),
    ...(link.membershipDays === null ? [] : [t('membership', { count: link.membershipDays })]),
  ];
  return (
    <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2 }}>
        <LinkName link={link} />
      </Box>
      <Typography variant="body2" color="textSecondary" title={format.dateTime(link.expiresAt)}>
        {facts.join(' · ')}
      </Typography>
      <GuessingWarning link={link} />
    </Box>
  );
}

function JoinSparkline({ link: { overTime } }: { link: LinkItem }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const timeZone = useTimeZone();
  const days = fillMissingDays(overTime, useNow(), timeZone).map(({ joins }) => joins);
  const total = days.reduce((sum, joins) => sum + joins, 0);
  if (total === 0) return null;
  return <Sparkline values={days} label={t('spark', { formatted: format.number(total) })} />;
}
