import Button from '@mui/material/Button';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useReadable } from '../components/use-readable';
import { useCampaignStep, useCreateCampaign, useDeleteCampaign, type Campaign, type Step } from '../api/use-campaigns';
import { bodyOf, wordingOf } from '../composer/wording';

/** What can be done with a campaign that is no draft any more. */
export function ReportActions({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const readable = useReadable();
  const step = useCampaignStep();
  const [asking, setAsking] = useState<'cancel' | 'delete' | null>(null);
  const close = () => setAsking(null);
  const { id, can } = campaign;
  // Without a server they would only be kept once more.
  const isKept = useEmailDelivery() === 'none';
  const retry =
    campaign.keptCount === 0 ? 'report.retry' : campaign.failedCount === 0 ? 'report.sendKept' : 'faults.sendAgain';
  const take = (what: Step) =>
    step.mutate(
      { id, step: what },
      {
        onSuccess: () => {
          close();
          if (what === 'unschedule') toast.success(t('schedule.undone'));
        },
        onError: (error) => {
          close();
          if (!(error instanceof ApiError && error.planLimit)) toast.error(t('errors.act'), errorText(error));
        },
      },
    );
  const button = (allowed: boolean, what: Step, label: string, whyNot?: string) =>
    allowed && (
      // A button that is disabled shows no title itself.
      <span title={whyNot}>
        <Button disabled={step.isPending || whyNot !== undefined} onClick={() => take(what)}>
          {label}
        </Button>
      </span>
    );
  return (
    <>
      {can.seeReport && (
        <Button component="a" href={`/api/campaigns/${id}/report.csv`} download startIcon={<DownloadRounded />}>
          {t('report.csv')}
        </Button>
      )}
      {campaign.kind === 'campaign' && <UseAgain campaign={campaign} />}
      {button(can.send, 'send', t('faults.sendAgain'))}
      {button(can.retryFailed, 'retryFailed', t(retry), isKept ? t('line.kept') : undefined)}
      {button(can.unschedule, 'unschedule', t('schedule.undo'))}
      {button(can.pause, 'pause', t('report.pause'))}
      {button(can.resume, 'resume', t('report.resume'))}
      {can.cancel && (
        <Button color="error" onClick={() => setAsking('cancel')}>
          {t('report.cancel')}
        </Button>
      )}
      {can.delete && (
        <Button color="error" onClick={() => setAsking('delete')}>
          {t('compose.delete')}
        </Button>
      )}
      <ConfirmDialog
        open={asking === 'cancel'}
        title={t('report.cancelTitle', { name: readable(campaign.name, campaign.zoneName) })}
        confirmLabel={t('report.cancelConfirm')}
        busy={step.isPending}
        onConfirm={() => take('cancel')}
        onClose={close}
      >
        {t('report.cancelText')}
      </ConfirmDialog>
      <DeleteDialog campaign={campaign} open={asking === 'delete'} onClose={close} />
    </>
  );
}

/** Makes a draft that says the same. */
function UseAgain({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const create = useCreateCampaign();
  const copy = () =>
    create.mutate(bodyOf(wordingOf(campaign)), {
      onSuccess: ({ id }) => void navigate(`/campaigns/${id}`),
      onError: (error) => toast.error(t('errors.create'), errorText(error)),
    });
  return (
    <Button onClick={copy} loading={create.isPending} loadingPosition="start">
      {t('report.duplicate')}
    </Button>
  );
}

function DeleteDialog({ campaign, open, onClose }: { campaign: Campaign; open: boolean; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const readable = useReadable();
  const navigate = useNavigate();
  const deletion = useDeleteCampaign();
  const remove = () =>
    deletion.mutate(campaign.id, {
      onSuccess: () => {
        toast.success(t('compose.deleted'));
        void navigate('/campaigns');
      },
      onError: (error) => {
        onClose();
        toast.error(t('errors.delete'), errorText(error));
      },
    });
  return (
    <ConfirmDialog
      open={open}
      title={t('compose.deleteTitle', { name: readable(campaign.name, campaign.zoneName) })}
      confirmLabel={t('compose.deleteConfirm')}
      busy={deletion.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('compose.deleteText')}
    </ConfirmDialog>
  );
}
