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
import type { DraftContent } from './draft-content';

/** The recipients and the remaining quota, with everything that prevents sending. */
export function SendSummary({ content }: { content: DraftContent }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const zoneId = content.zoneId ? Number(content.zoneId) : null;
  const { data, error } = useSendPreview(zoneId, content.targetAudience);
  if (zoneId === null) return <SecondaryText>{t('line.none')}</SecondaryText>;
  if (error && !data) return <SecondaryText>{errorText(error)}</SecondaryText>;
  if (!data) return <Skeleton width="60%" />;
  return (
    <Stack spacing={2}>
      <RecipientCounts preview={data} />
      <Warnings preview={data} audience={content.targetAudience} />
    </Stack>
  );
}

function SecondaryText({ children }: { children: ReactNode }) {
  return (
    <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  );
}

function RecipientCounts({ preview }: { preview: SendPreview }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const { recipientCount: count, quota, fromName, replyTo } = preview;
  const formatted = format.number(count);
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
      <SecondaryText>
        {t('line.recipients', { count, formatted })}
        {/* Emails on hold don't count towards the limit. */}
        {!isDeliveryDisabled && ` · ${left}`}
      </SecondaryText>
      <SecondaryText>
        {replyTo === null ? t('line.fromOnly', { name: fromName }) : t('line.from', { name: fromName, replyTo })}
      </SecondaryText>
    </div>
  );
}

function Warnings({ preview, audience }: { preview: SendPreview; audience: DraftContent['targetAudience'] }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { upgrade } = usePlanAbilities();
  const delivery = useEmailDelivery();
  const { totalMembers, audienceMembers, withoutConsent, unreachable, fitsQuota, hasPostalAddress } = preview;
  return (
    <>
      {delivery === 'none' && <Warning>{t('line.onHold')}</Warning>}
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
        <SecondaryText>
          {t('line.consent', { count: withoutConsent, formatted: format.number(withoutConsent) })}
        </SecondaryText>
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
