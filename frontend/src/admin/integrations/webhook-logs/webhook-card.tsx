import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { LoggedWebhook, Sender } from '../senders';
import { formatPlanName } from './columns';
import { SelectWebhookCheckbox } from './webhook-selection';
import { WebhookStatusBadge } from './webhook-status-badge';

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
  const details =
    sender === 'woocommerce'
      ? [orderId && `${t('logs.order')} ${orderId}`, event, productName]
      : [subscriptionId, event, sender === 'stripe-acedumy' ? formatPlanName(webhook, t) : null];
  return (
    <Box sx={{ display: 'flex', alignItems: 'start' }}>
      <Box sx={{ pt: 2, pl: 1 }}>
        <SelectWebhookCheckbox id={id} />
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
          <WebhookStatusBadge status={status} />
        </Box>
        {[...details, zoneName, errorMessage, emailSent && t('logs.mailed'), format.dateTime(createdAt)]
          .flatMap((detail) => detail || [])
          .map((detail) => (
            <Typography key={detail} component="span" variant="body2" color="textSecondary">
              {detail}
            </Typography>
          ))}
      </ButtonBase>
    </Box>
  );
}
