import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { planName } from './columns';
import { ChooseWebhook } from './selected-webhooks';
import { StateBadge } from './state-badge';

interface Props {
  sender: Sender;
  webhook: LoggedWebhook;
  onOpen: () => void;
}

/** One delivery on a narrow screen. */
export function WebhookCard({ sender, webhook, onOpen }: Props) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const { id, status, customerEmail, orderId, productName, subscriptionId, event, zoneName, createdAt } = webhook;
  const { errorMessage, emailSent } = webhook;
  const facts =
    sender === 'woocommerce'
      ? [orderId && `${t('logs.order')} ${orderId}`, event, productName]
      : [subscriptionId, event, sender === 'stripe-acedumy' ? planName(webhook, t) : null];
  return (
    <Box sx={{ display: 'flex', alignItems: 'start' }}>
      <Box sx={{ pt: 2, pl: 1 }}>
        <ChooseWebhook id={id} />
      </Box>
      <ButtonBase
        onClick={onOpen}
        sx={{
          display: 'grid',
          justifyContent: 'stretch',
          gap: 1,
          width: '100%',
          p: 4,
          pl: 1,
          textAlign: 'start',
          overflowWrap: 'anywhere',
        }}
      >
        <span className="z-visually-hidden">{t('logs.open', { id })}</span>
        <Box component="span" sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 2 }}>
          <Typography component="span" variant="subtitle2">
            {customerEmail ?? t('detail.title', { id })}
          </Typography>
          <StateBadge state={status} />
        </Box>
        {[...facts, zoneName, errorMessage, emailSent && t('logs.mailed'), format.dateTime(createdAt)]
          .flatMap((fact) => fact || [])
          .map((fact) => (
            <Typography key={fact} component="span" variant="body2" color="textSecondary">
              {fact}
            </Typography>
          ))}
      </ButtonBase>
    </Box>
  );
}
