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
import { DefinitionList } from '../../ui/definition-list';
import { toSenderPath, type Sender } from '../senders';

type Info = Schema<'IntegrationInfoDto'>;

const stepKeysBySender = {
  woocommerce: 'woocommerceSteps',
  acedumy: 'acedumySteps',
  'stripe-acedumy': 'stripeSteps',
} as const;
const stepNumbers = ['one', 'two', 'three', 'four'] as const;

/** Shows what to enter at the sender and here to connect the two, and whether it is done. */
export function IntegrationInfo({ sender }: { sender: Sender }) {
  const { t } = useTranslation('integrations');
  const { data, error, refetch } = $api.useQuery('get', toSenderPath(sender, '/integration-info'));
  if (error && !data) return <ErrorState title={t('info.couldNotLoad')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={6} />;
  return (
    <Box sx={{ display: 'grid', gap: 6, maxWidth: 800 }}>
      <ConnectionCard sender={sender} info={data} />
      <SetupStepsCard sender={sender} secretVariable={data.secretVariable} />
    </Box>
  );
}

function ConnectionCard({ sender, info }: { sender: Sender; info: Info }) {
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
        <DefinitionList
          label={t('info.title')}
          items={[
            [t('info.events'), <CodeList key="events" codes={events} />],
            [t('info.header'), <code key="header">{signatureHeader}</code>],
            [t('info.variable'), <code key="variable">{secretVariable}</code>],
            ...(sender === 'woocommerce' ? [] : [[t('info.zone'), formatZone(info, t('logs.none'))] as const]),
          ]}
        />
        {sender !== 'woocommerce' && <ZoneProblemAlert info={info} />}
      </Box>
    </SectionCard>
  );
}

const formatZone = ({ zoneId, zoneName }: Info, fallback: string) =>
  zoneId === null ? fallback : zoneName === null ? String(zoneId) : `${zoneName} (${zoneId})`;

function ZoneProblemAlert({ info: { zoneId, zoneName } }: { info: Info }) {
  const { t } = useTranslation('integrations');
  if (zoneName !== null) return null;
  return (
    <Alert severity="warning">{zoneId === null ? t('info.zoneNotSet') : t('info.zoneGone', { id: zoneId })}</Alert>
  );
}

function CodeList({ codes }: { codes: readonly string[] }) {
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

function SetupStepsCard({ sender, secretVariable }: { sender: Sender; secretVariable: string }) {
  const { t } = useTranslation('integrations');
  return (
    <SectionCard title={t('info.how')}>
      <Box component="ol" sx={{ display: 'grid', gap: 2, m: 0, pl: 5 }}>
        {stepNumbers.map((number) => (
          <Typography key={number} component="li" sx={{ overflowWrap: 'anywhere' }}>
            {t(`info.${stepKeysBySender[sender]}.${number}`, { variable: secretVariable })}
          </Typography>
        ))}
      </Box>
    </SectionCard>
  );
}
