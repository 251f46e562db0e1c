import LockRounded from '@mui/icons-material/LockRounded';
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';

type LinkState = 'active' | 'expired' | 'max_uses' | 'inactive';

const toneByState: Record<LinkState, BadgeTone> = {
  active: 'success',
  expired: 'danger',
  max_uses: 'warning',
  inactive: 'neutral',
};

/** The name of a link, its state, and whether it has a password. */
export function LinkName({ link }: { link: { name: string; state: LinkState; hasPassword: boolean } }) {
  const { t } = useTranslation('links');
  return (
    <>
      <Typography variant="subtitle2" component="span">
        {link.name}
      </Typography>
      <Badge tone={toneByState[link.state]}>{t(`state.${link.state}`)}</Badge>
      {link.hasPassword && (
        <LockRounded titleAccess={t('protected')} sx={{ color: 'text.secondary', fontSize: 'small' }} />
      )}
    </>
  );
}

interface UsageProps {
  link: { readonly name: string; readonly currentUses: number; readonly maxUses: number | null };
}

/** Tells the owner that somebody may be guessing the password; nothing otherwise. */
export function GuessingWarning({ link: { passwordAttackedAt } }: { link: { passwordAttackedAt: string | null } }) {
  const { t } = useTranslation('links');
  const format = useFormat();
  if (passwordAttackedAt === null) return null;
  return (
    <Typography variant="body2" sx={{ display: 'flex', gap: 1, mt: 1, color: 'warning.main' }}>
      <WarningAmberRounded aria-hidden sx={{ fontSize: 20 }} />
      {t('guessing', { when: format.dateTime(passwordAttackedAt) })}
    </Typography>
  );
}

/** How often a link was used, with a progress bar if that is limited. */
export function LinkUsage({ link: { currentUses, maxUses, name } }: UsageProps) {
  const { t } = useTranslation('links');
  const format = useFormat();
  const used = format.number(currentUses);
  if (maxUses === null) {
    return <Typography variant="body2">{t('uses', { count: currentUses, formatted: used })}</Typography>;
  }
  const text = t('usesOf', { used, max: format.number(maxUses) });
  return (
    <>
      <Typography variant="body2">{text}</Typography>
      <LinearProgress
        variant="determinate"
        value={(100 * currentUses) / maxUses}
        aria-label={name}
        aria-valuetext={text}
        sx={{ mt: 1, borderRadius: 1 }}
      />
    </>
  );
}
