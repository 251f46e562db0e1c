import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../../../shared/api/client';
import { Badge } from '../../../shared/ui/badge';
import { CopyField } from '../../../shared/ui/fields/copy-field';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Facts } from '../../ui/facts';
import { callOf, type Sender } from '../senders';

type Info = Schema<'IntegrationInfoDto'>;

const stepsOf = { woocommerce: 'woocommerceSteps', acedumy: 'acedumySteps', 'stripe-acedumy': 'stripeSteps' } as const;
const numbers = ['one', 'two', 'three', 'four'] as const;

/** What to enter at a sender and here to connect the two, and whether that has been done. */
export function IntegrationInfo({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { data, error, refetch } = $api.useQuery('get', callOf(sender, '/integration-info'));
  if (error && !data) return <ErrorState title={t('info.couldNotLoad')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <Box sx={{ display: 'grid', gap: 6, maxWidth: 800 }}>
      <Connection sender={sender} info={data} />
      <Steps sender={sender} variable={data.secretVariable} />
    </Box>
  );
}

function Connection({ sender, info }: { sender: Sender; info: Info }) {
  const { t } = useTranslation('integrations');
  const { webhookUrl, events, signatureHeader, secretVariable, isConfigured } = info;
  const badge = (
    <Badge tone={isConfigured ? 'success' : 'warning'}>
      {isConfigured ? t('info.configured') : t('info.notConfigured')}
    </Badge>
  );
  return (
    <SectionCard title={t('info.title')} action={badge}>
      <Box sx={{ display: 'grid', gap: 5 }}>
        {!isConfigured && <Alert severity="warning">{t('info.notConfiguredText', { variable: secretVariable })}</Alert>}
        <CopyField label={t('info.webhookUrl')} value={webhookUrl} />
        <Facts
          label={t('info.title')}
          facts={[
            [t('info.events'), <Codes key="events" codes={events} />],
            [t('info.header'), <code key="header">{signatureHeader}</code>],
            [t('info.variable'), <code key="variable">{secretVariable}</code>],
            ...(sender === 'woocommerce' ? [] : [[t('info.zone'), zoneText(info, t('logs.none'))] as const]),
          ]}
        />
        {sender !== 'woocommerce' && <ZoneFault info={info} />}
      </Box>
    </SectionCard>
  );
}

const zoneText = ({ zoneId, zoneName }: Info, none: string) =>
  zoneId === null ? none : zoneName === null ? String(zoneId) : `${zoneName} (${zoneId})`;

function ZoneFault({ info: { zoneId, zoneName } }: { info: Info }) {
  const { t } = useTranslation('integrations');
  if (zoneName !== null) return null;
  return (
    <Alert severity="warning">{zoneId === null ? t('info.zoneNotSet') : t('info.zoneGone', { id: zoneId })}</Alert>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {codes.map((code) => (
        <li key={code}>
          <code>{code}</code>
        </li>
      ))}
    </Box>
  );
}

function Steps({ sender, variable }: { sender: Sender; variable: string }) {
  const { t } = useTranslation('integrations');
  return (
    <SectionCard title={t('info.how')}>
      <Box component="ol" sx={{ display: 'grid', gap: 2, m: 0, pl: 5 }}>
        {numbers.map((number) => (
          <Typography key={number} component="li" sx={{ overflowWrap: 'anywhere' }}>
            {t(`info.${stepsOf[sender]}.${number}`, { variable })}
          </Typography>
        ))}
      </Box>
    </SectionCard>
  );
}
