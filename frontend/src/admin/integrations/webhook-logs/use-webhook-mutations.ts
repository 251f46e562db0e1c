import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { toSenderPath, toLogsResource, type Sender } from '../senders';

/** Refetches everything shown about a sender's deliveries. */
function useInvalidateWebhooks(sender: Sender) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: [toLogsResource(sender)] }),
      queryClient.invalidateQueries({ queryKey: ['get', toSenderPath(sender, '/webhook-logs')] }),
      queryClient.invalidateQueries({ queryKey: ['get', toSenderPath(sender, '/webhook-logs/summary')] }),
      queryClient.invalidateQueries({ queryKey: ['get', toSenderPath(sender, '/webhook-logs/{id}')] }),
    ]);
}

/** Replays a delivery. */
export function useReplayWebhook(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const invalidateWebhooks = useInvalidateWebhooks(sender);
  return $api.useMutation('post', toSenderPath(sender, '/webhook-logs/{id}/replay'), {
    onSuccess: () => toast.success(t('detail.replayed')),
    onError: (error) => toast.error(t('detail.replayFailed'), errorText(error)),
    onSettled: invalidateWebhooks,
  });
}

/** Replays the selected deliveries. */
export function useReplayWebhooks(sender: Sender, onDone: () => void) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const errorText = useErrorText();
  const invalidateWebhooks = useInvalidateWebhooks(sender);
  return $api.useMutation('post', toSenderPath(sender, '/webhook-logs/replay'), {
    onSuccess: ({ replayed, passedOver }) => {
      const skippedMessage = t('selection.passedOver', { count: passedOver, formatted: format.number(passedOver) });
      const replayedMessage = t('selection.replayed', { count: replayed, formatted: format.number(replayed) });
      toast.success(replayedMessage, passedOver > 0 ? skippedMessage : undefined);
      onDone();
    },
    onError: (error) => toast.error(t('selection.failed'), errorText(error)),
    onSettled: invalidateWebhooks,
  });
}

/** Revokes by hand what a purchase granted. */
export function useRevokeEntitlement(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const invalidateWebhooks = useInvalidateWebhooks(sender);
  return $api.useMutation('post', toSenderPath(sender, '/entitlements/{id}/revoke'), {
    onSuccess: () => toast.success(t('detail.takenBack')),
    onError: (error) => toast.error(t('detail.takeBackFailed'), errorText(error)),
    onSettled: invalidateWebhooks,
  });
}

/** Restores a revoked entitlement. */
export function useRestoreEntitlement(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const invalidateWebhooks = useInvalidateWebhooks(sender);
  return $api.useMutation('post', toSenderPath(sender, '/entitlements/{id}/restore'), {
    onSuccess: () => toast.success(t('detail.givenBack')),
    onError: (error) => toast.error(t('detail.giveBackFailed'), errorText(error)),
    onSettled: invalidateWebhooks,
  });
}
