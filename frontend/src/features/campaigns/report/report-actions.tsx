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
import { useRenderMergeFields } from '../components/use-render-merge-fields';
import {
  useCampaignAction,
  useCreateCampaign,
  useDeleteCampaign,
  type Campaign,
  type CampaignAction,
} from '../api/use-campaigns';
import { toRequestBody, draftContentOf } from '../composer/draft-content';

/** Actions for a campaign that is no longer a draft. */
export function ReportActions({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const renderMergeFields = useRenderMergeFields();
  const campaignAction = useCampaignAction();
  const [openDialog, setOpenDialog] = useState<'cancel' | 'delete' | null>(null);
  const close = () => setOpenDialog(null);
  const { id, can } = campaign;
  // Without a mail server the emails would only be held back again.
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const retryLabelKey =
    campaign.keptCount === 0
      ? 'report.retry'
      : campaign.failedCount === 0
        ? 'report.sendOnHold'
        : 'rejections.sendAgain';
  const runAction = (action: CampaignAction) =>
    campaignAction.mutate(
      { id, step: action },
      {
        onSuccess: () => {
          close();
          if (action === 'unschedule') toast.success(t('schedule.undone'));
        },
        onError: (error) => {
          close();
          if (!(error instanceof ApiError && error.planLimit)) toast.error(t('errors.act'), errorText(error));
        },
      },
    );
  const renderButton = (allowed: boolean, action: CampaignAction, label: string, disabledReason?: string) =>
    allowed && (
      // Disabled buttons show no tooltip, so it is on a wrapper.
      <span title={disabledReason}>
        <Button disabled={campaignAction.isPending || disabledReason !== undefined} onClick={() => runAction(action)}>
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
      {campaign.kind === 'campaign' && <DuplicateButton campaign={campaign} />}
      {renderButton(can.send, 'send', t('rejections.sendAgain'))}
      {renderButton(
        can.retryFailed,
        'retryFailed',
        t(retryLabelKey),
        isDeliveryDisabled ? t('line.onHold') : undefined,
      )}
      {renderButton(can.unschedule, 'unschedule', t('schedule.undo'))}
      {renderButton(can.pause, 'pause', t('report.pause'))}
      {renderButton(can.resume, 'resume', t('report.resume'))}
      {can.cancel && (
        <Button color="error" onClick={() => setOpenDialog('cancel')}>
          {t('report.cancel')}
        </Button>
      )}
      {can.delete && (
        <Button color="error" onClick={() => setOpenDialog('delete')}>
          {t('compose.delete')}
        </Button>
      )}
      <ConfirmDialog
        open={openDialog === 'cancel'}
        title={t('report.cancelTitle', { name: renderMergeFields(campaign.name, campaign.zoneName) })}
        confirmLabel={t('report.cancelConfirm')}
        isPending={campaignAction.isPending}
        onConfirm={() => runAction('cancel')}
        onClose={close}
      >
        {t('report.cancelText')}
      </ConfirmDialog>
      <DeleteCampaignDialog campaign={campaign} open={openDialog === 'delete'} onClose={close} />
    </>
  );
}

/** Creates a draft with the same content. */
function DuplicateButton({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const create = useCreateCampaign();
  const copy = () =>
    create.mutate(toRequestBody(draftContentOf(campaign)), {
      onSuccess: ({ id }) => void navigate(`/campaigns/${id}`),
      onError: (error) => toast.error(t('errors.create'), errorText(error)),
    });
  return (
    <Button onClick={copy} loading={create.isPending} loadingPosition="start">
      {t('report.duplicate')}
    </Button>
  );
}

function DeleteCampaignDialog({ campaign, open, onClose }: { campaign: Campaign; open: boolean; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const renderMergeFields = useRenderMergeFields();
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
      title={t('compose.deleteTitle', { name: renderMergeFields(campaign.name, campaign.zoneName) })}
      confirmLabel={t('compose.deleteConfirm')}
      isPending={deletion.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('compose.deleteText')}
    </ConfirmDialog>
  );
}
