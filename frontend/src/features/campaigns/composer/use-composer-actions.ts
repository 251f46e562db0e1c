import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useEmailToast } from '../../../shared/site/email-delivery';
import { toast } from '../../../shared/toast/toast-store';
import { useDeleteCampaign, useSendTestEmail, type Campaign, type SendPreview } from '../api/use-campaigns';
import type { useDraft } from './use-draft';
import { findMissingFields, type RequiredField } from './draft-content';

type Draft = ReturnType<typeof useDraft>;
type DraftErrors = Partial<Record<RequiredField, string>>;

/** The actions of the composer's buttons: each validates and saves the draft first. */
export function useComposerActions(draft: Draft) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const sendTestEmail = useSendTestEmail();
  const showEmailToast = useEmailToast();
  const deletion = useDeleteCampaign();
  const [errors, setErrors] = useState<DraftErrors>({});
  const [busy, setBusy] = useState<'save' | 'test' | 'send' | 'schedule' | null>(null);
  const [sending, setSending] = useState<{ campaign: Campaign; preview: SendPreview } | null>(null);
  const [scheduling, setScheduling] = useState<Campaign | null>(null);

  const validateDraft = (): boolean => {
    const missing = findMissingFields(draft.content);
    setErrors(Object.fromEntries(missing.map((field) => [field, t(`invalid.${field}`)])));
    if (missing.length === 0) return true;
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
    const isMail = missing.every((field) => field === 'subject' || field === 'content');
    toast.error(
      t('invalid.title'),
      isMail ? t('invalid.both') : missing.map((field) => t(`invalid.${field}`)).join('. '),
    );
    return false;
  };

  const saveThen = async (action: NonNullable<typeof busy>, onSaved: (campaign: Campaign) => Promise<void> | void) => {
    if (busy || !validateDraft()) return;
    setBusy(action);
    const errorTitle = draft.isSaved ? t('errors.update') : t('errors.create');
    const campaign = await draft.save().catch((error: unknown) => {
      // Edit conflicts are shown in the composer.
      if (!hasCode(error, 'CAMPAIGN_CHANGED')) toast.error(errorTitle, errorText(error));
    });
    if (campaign) await onSaved(campaign);
    setBusy(null);
  };

  const save = () => {
    if (draft.isSaved && !draft.hasChanges) {
      toast.show({ title: t('compose.noChanges'), message: t('compose.noChangesText') });
      return void navigate('/campaigns');
    }
    const successMessage = draft.isSaved ? t('compose.updated') : t('compose.created');
    return void saveThen('save', () => toast.success(successMessage));
  };

  const sendTest = () =>
    void saveThen('test', async ({ id }) => {
      try {
        const { sentTo } = await sendTestEmail.mutateAsync(id);
        showEmailToast(t('compose.testSent'), t('compose.testSentTo', { email: sentTo }));
      } catch (error) {
        toast.error(t('compose.testFailed'), errorText(error));
      }
    });

  const openSendDialog = () =>
    void saveThen('send', async (campaign) => {
      try {
        const at = { params: { path: { id: campaign.id } } };
        const preview = await queryClient.fetchQuery({
          queryKey: ['send-preview-of', campaign.id],
          queryFn: async () => (await api.GET('/api/campaigns/{id}/send-preview', at)).data!,
          staleTime: 0,
        });
        if (preview.totalMembers === 0) toast.error(t('errors.send'), t('line.noMembers'));
        else setSending({ campaign, preview });
      } catch (error) {
        toast.error(t('errors.send'), errorText(error));
      }
    });

  const remove = (id: number) =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success(t('compose.deleted'));
        void navigate('/campaigns');
      },
      onError: (error) => toast.error(t('errors.delete'), errorText(error)),
    });

  return {
    errors,
    clearErrors: (fields: RequiredField[]) =>
      setErrors((now) => ({ ...now, ...Object.fromEntries(fields.map((f) => [f, undefined])) })),
    busy,
    validateDraft,
    save,
    sendTest,
    openSendDialog,
    sending,
    closeSendDialog: () => setSending(null),
    openScheduleDialog: () => void saveThen('schedule', setScheduling),
    scheduling,
    closeScheduleDialog: () => setScheduling(null),
    remove,
    isRemoving: deletion.isPending,
  };
}
