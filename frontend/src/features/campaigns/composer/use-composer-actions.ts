import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useEmailToast } from '../../../shared/site/email-delivery';
import { toast } from '../../../shared/toast/toast-store';
import { useDeleteCampaign, useTestMail, type Campaign, type SendPreview } from '../api/use-campaigns';
import type { useDraft } from './use-draft';
import { missingIn, type Missing } from './wording';

type Draft = ReturnType<typeof useDraft>;
type Errors = Partial<Record<Missing, string>>;

/** What the buttons of the composer do: each saves first, and says what is missing. */
export function useComposerActions(draft: Draft) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const test = useTestMail();
  const emailToast = useEmailToast();
  const deletion = useDeleteCampaign();
  const [errors, setErrors] = useState<Errors>({});
  const [busy, setBusy] = useState<'save' | 'test' | 'send' | 'schedule' | null>(null);
  const [sending, setSending] = useState<{ campaign: Campaign; preview: SendPreview } | null>(null);
  const [scheduling, setScheduling] = useState<Campaign | null>(null);

  const complete = (): boolean => {
    const missing = missingIn(draft.wording);
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

  const saved = async (what: NonNullable<typeof busy>, then: (campaign: Campaign) => Promise<void> | void) => {
    if (busy || !complete()) return;
    setBusy(what);
    const failed = draft.isSaved ? t('errors.update') : t('errors.create');
    const campaign = await draft.save().catch((error: unknown) => {
      // What was changed elsewhere is asked about where the draft stands.
      if (!hasCode(error, 'CAMPAIGN_CHANGED')) toast.error(failed, errorText(error));
    });
    if (campaign) await then(campaign);
    setBusy(null);
  };

  const save = () => {
    if (draft.isSaved && !draft.changed) {
      toast.show({ title: t('compose.noChanges'), message: t('compose.noChangesText') });
      return void navigate('/campaigns');
    }
    const done = draft.isSaved ? t('compose.updated') : t('compose.created');
    return void saved('save', () => toast.success(done));
  };

  const sendTest = () =>
    void saved('test', async ({ id }) => {
      try {
        const { sentTo } = await test.mutateAsync(id);
        emailToast(t('compose.testSent'), t('compose.testSentTo', { email: sentTo }));
      } catch (error) {
        toast.error(t('compose.testFailed'), errorText(error));
      }
    });

  const askToSend = () =>
    void saved('send', async (campaign) => {
      try {
        const at = { params: { path: { id: campaign.id } } };
        const preview = await queries.fetchQuery({
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
    forget: (fields: Missing[]) =>
      setErrors((now) => ({ ...now, ...Object.fromEntries(fields.map((f) => [f, undefined])) })),
    busy,
    complete,
    save,
    sendTest,
    askToSend,
    sending,
    stopSending: () => setSending(null),
    askToSchedule: () => void saved('schedule', setScheduling),
    scheduling,
    stopScheduling: () => setScheduling(null),
    remove,
    isRemoving: deletion.isPending,
  };
}
