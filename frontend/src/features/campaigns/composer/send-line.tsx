import Alert from '@mui/material/Alert';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '../../../shared/hooks/use-format';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { useSendPreview, type SendPreview } from '../api/use-campaigns';
import type { Wording } from './wording';

/** Who gets the mail and what is left of the quota, with whatever stands in the way. */
export function SendLine({ wording }: { wording: Wording }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const zoneId = wording.zoneId ? Number(wording.zoneId) : null;
  const { data, error } = useSendPreview(zoneId, wording.targetAudience);
  if (zoneId === null) return <Quiet>{t('line.none')}</Quiet>;
  if (error && !data) return <Quiet>{errorText(error)}</Quiet>;
  if (!data) return <Skeleton width="60%" />;
  return (
    <Stack spacing={2}>
      <Counts preview={data} />
      <Warnings preview={data} audience={wording.targetAudience} />
    </Stack>
  );
}

function Quiet({ children }: { children: ReactNode }) {
  return (
    <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  );
}

function Counts({ preview }: { preview: SendPreview }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { recipientCount: count, quota, fromName, replyTo } = preview;
  const left =
    quota.quotaLimit === null
      ? t('line.unlimited')
      : t('line.left', {
          count: quota.quotaLimit,
          left: format.number(quota.remaining ?? 0),
          limit: format.number(quota.quotaLimit),
        });
  return (
    <div>
      <Quiet>{`${t('line.recipients', { count, formatted: format.number(count) })} · ${left}`}</Quiet>
      <Quiet>
        {replyTo === null ? t('line.fromOnly', { name: fromName }) : t('line.from', { name: fromName, replyTo })}
      </Quiet>
    </div>
  );
}

function Warnings({ preview, audience }: { preview: SendPreview; audience: Wording['targetAudience'] }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { upgrade } = usePlanAbilities();
  const delivery = useEmailDelivery();
  const { totalMembers, audienceMembers, withoutConsent, unreachable, fitsQuota, hasPostalAddress } = preview;
  return (
    <>
      {delivery === 'none' && <Warning>{t('line.kept')}</Warning>}
      {totalMembers === 0 && <Warning>{t('line.noMembers')}</Warning>}
      {totalMembers > 0 && audienceMembers === 0 && audience !== 'all' && (
        <Warning>{t(`line.${audience}Empty`)}</Warning>
      )}
      {!fitsQuota && (
        <Warning>
          {t('line.overQuota')}{' '}
          {upgrade && (
            <Link component={RouterLink} to="/pricing" color="inherit">
              {t('line.upgrade')}
            </Link>
          )}
        </Warning>
      )}
      {!hasPostalAddress && (
        <Warning>
          {t('line.noAddress')}{' '}
          <Link component={RouterLink} to="/settings#mails" color="inherit">
            {t('line.addAddress')}
          </Link>
        </Warning>
      )}
      {withoutConsent > 0 && (
        <Quiet>{t('line.consent', { count: withoutConsent, formatted: format.number(withoutConsent) })}</Quiet>
      )}
      {unreachable > 0 && (
        <Warning>{t('line.unreachable', { count: unreachable, formatted: format.number(unreachable) })}</Warning>
      )}
    </>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <Alert severity="warning" role="note" sx={{ bgcolor: 'tint.warning' }}>
      {children}
    </Alert>
  );
}
