import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { callOf, logsOf, type Sender } from '../senders';

/** Has everything that is shown of a sender's deliveries asked for again. */
function useRefresh(sender: Sender) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [logsOf(sender)] }),
      queries.invalidateQueries({ queryKey: ['get', callOf(sender, '/webhook-logs/summary')] }),
      queries.invalidateQueries({ queryKey: ['get', callOf(sender, '/webhook-logs/{id}')] }),
    ]);
}

/** Has a delivery processed once more. */
export function useReplay(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const refresh = useRefresh(sender);
  return $api.useMutation('post', callOf(sender, '/webhook-logs/{id}/replay'), {
    onSuccess: () => toast.success(t('detail.replayed')),
    onError: (error) => toast.error(t('detail.replayFailed'), errorText(error)),
    onSettled: refresh,
  });
}

/** Has a selection processed once more. */
export function useReplayMany(sender: Sender, onDone: () => void) {
  const { t } = useTranslation('integrations');
  const format = useFormat();
  const errorText = useErrorText();
  const refresh = useRefresh(sender);
  return $api.useMutation('post', callOf(sender, '/webhook-logs/replay'), {
    onSuccess: ({ replayed, passedOver }) => {
      const left = t('selection.passedOver', { count: passedOver, formatted: format.number(passedOver) });
      const done = t('selection.replayed', { count: replayed, formatted: format.number(replayed) });
      toast.success(done, passedOver > 0 ? left : undefined);
      onDone();
    },
    onError: (error) => toast.error(t('selection.failed'), errorText(error)),
    onSettled: refresh,
  });
}

/** Takes back by hand what a purchase opened. */
export function useTakeBack(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const refresh = useRefresh(sender);
  return $api.useMutation('post', callOf(sender, '/entitlements/{id}/revoke'), {
    onSuccess: () => toast.success(t('detail.takenBack')),
    onError: (error) => toast.error(t('detail.takeBackFailed'), errorText(error)),
    onSettled: refresh,
  });
}

/** Gives back what was taken back by hand. */
export function useGiveBack(sender: Sender) {
  const { t } = useTranslation('integrations');
  const errorText = useErrorText();
  const refresh = useRefresh(sender);
  return $api.useMutation('post', callOf(sender, '/entitlements/{id}/restore'), {
    onSuccess: () => toast.success(t('detail.givenBack')),
    onError: (error) => toast.error(t('detail.giveBackFailed'), errorText(error)),
    onSettled: refresh,
  });
}
