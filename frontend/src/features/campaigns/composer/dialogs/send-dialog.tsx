import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useFormat } from '../../../../shared/hooks/use-format';
import { useEmailDelivery, useEmailToast } from '../../../../shared/site/email-delivery';
import { toast } from '../../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { ApiError, hasCode } from '../../../../shared/api/api-error';
import { useRenderMergeFields } from '../../components/use-render-merge-fields';
import { useCampaignAction, type Campaign, type SendPreview } from '../../api/use-campaigns';

interface Props {
  /** The saved draft to send; null closes the dialog. */
  sending: { campaign: Campaign; preview: SendPreview } | null;
  onClose: () => void;
  /** Called if the draft was changed elsewhere since the confirmation was shown. */
  onConflict: () => void;
}

/** Confirms sending: the number of recipients and the remaining quota. */
export function SendDialog({ sending, onClose, onConflict }: Props) {
  const { t } = useTranslation('campaigns');
  const showEmailToast = useEmailToast();
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const errorText = useErrorText();
  const format = useFormat();
  const campaignAction = useCampaignAction();
  const send = () =>
    campaignAction.mutate(
      { id: sending!.campaign.id, step: 'send', updatedAt: sending!.campaign.updatedAt },
      {
        onSuccess: ({ recipientCount }) =>
          showEmailToast(
            t('send.done', { count: recipientCount, formatted: format.number(recipientCount) }),
            t('send.begun'),
          ),
        onError: (error) => {
          onClose();
          if (hasCode(error, 'CAMPAIGN_CHANGED')) return onConflict();
          // Plan limits have their own dialog.
          if (!(error instanceof ApiError && error.planLimit)) toast.error(t('errors.send'), errorText(error));
        },
      },
    );
  const renderMergeFields = useRenderMergeFields();
  return (
    <ConfirmDialog
      open={sending !== null}
      tone="plain"
      title={t('send.title', {
        subject: sending ? renderMergeFields(sending.campaign.subject, sending.campaign.zoneName) : '',
      })}
      confirmLabel={t(isDeliveryDisabled ? 'send.putOnHold' : 'send.confirm')}
      isPending={campaignAction.isPending}
      onConfirm={send}
      onClose={onClose}
    >
      {sending && (isDeliveryDisabled ? <DeliveryDisabledText {...sending} /> : <SendText {...sending} />)}
    </ConfirmDialog>
  );
}

function DeliveryDisabledText({
  campaign,
  preview: { recipientCount: count },
}: {
  campaign: Campaign;
  preview: SendPreview;
}) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  return (
    <>
      <Typography sx={{ mb: 2 }}>
        {t('send.onHoldText', { count, formatted: format.number(count), zone: campaign.zoneName })}
      </Typography>
      <Typography>{t('send.onHoldLater')}</Typography>
    </>
  );
}

function SendText({ campaign, preview }: { campaign: Campaign; preview: SendPreview }) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const { recipientCount: count, quota } = preview;
  const { quotaLimit, remaining } = quota;
  return (
    <>
      <Typography sx={{ mb: 2 }}>
        {t('send.text', { count, formatted: format.number(count), zone: campaign.zoneName })}
      </Typography>
      <Typography>
        {quotaLimit === null
          ? t('send.unlimited')
          : t('send.left', {
              count: quotaLimit,
              left: format.number(Math.max(0, (remaining ?? 0) - count)),
              limit: format.number(quotaLimit),
            })}
      </Typography>
    </>
  );
}
