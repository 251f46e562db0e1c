import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { PageHeader } from '../../../shared/ui/page-header';
import type { Campaign } from '../api/use-campaigns';
import type { Template } from '../api/use-templates';
import { StartFailureNotice } from '../components/start-failure-notice';
import { useRenderMergeFields } from '../components/use-render-merge-fields';
import { EditConflictAlert } from './edit-conflict-alert';
import { DraftPreview } from './email-preview';
import { SaveTemplateDialog } from './dialogs/save-template-dialog';
import { ScheduleDialog } from './dialogs/schedule-dialog';
import { SendDialog } from './dialogs/send-dialog';
import { SendSummary } from './send-summary';
import { TemplatesDialog } from './dialogs/templates-dialog';
import { useComposerActions } from './use-composer-actions';
import { useDraft } from './use-draft';
import { isSavableDraft, type RequiredField, type DraftContent } from './draft-content';
import { DraftFields } from './draft-fields';

interface Props {
  /** The draft; null until a new one has been saved. */
  campaign: Campaign | null;
  /** Stays the same when a new draft gets its URL. */
  sessionKey: string;
}

const requiredFieldOf: Partial<Record<keyof DraftContent, RequiredField>> = {
  zoneId: 'zone',
  name: 'name',
  subject: 'subject',
  htmlContent: 'content',
};

/** Editor of a campaign: fields on the left, email preview on the right. */
export function Composer({ campaign, sessionKey }: Props) {
  const { t } = useTranslation('campaigns');
  const draft = useDraft(campaign, sessionKey);
  const renderMergeFields = useRenderMergeFields();
  const actions = useComposerActions(draft);
  const [contentKey, setContentKey] = useState(0);
  // A campaign begun here stays a new one, although it's soon saved as a draft.
  const [isNew] = useState(!campaign);
  const [openDialog, setOpenDialog] = useState<'templates' | 'saveTemplate' | 'delete' | null>(null);
  const close = () => setOpenDialog(null);
  const updateContent = (part: Partial<DraftContent>) => {
    draft.updateContent(part);
    actions.clearErrors((Object.keys(part) as (keyof DraftContent)[]).flatMap((key) => requiredFieldOf[key] ?? []));
  };
  const applyTemplate = ({ subject, htmlContent }: Template) => {
    // As with a typed subject: a campaign without a name gets the subject as its name.
    const usesSubjectAsName = !draft.content.name.trim() && subject.trim() !== '';
    updateContent({ subject, htmlContent, ...(usesSubjectAsName && { name: subject.trim() }) });
    setContentKey((key) => key + 1);
  };
  return (
    <>
      <PageHeader
        title={isNew ? t('compose.newTitle') : t('compose.editTitle')}
        back={{ to: '/campaigns', label: t('compose.back') }}
        description={<SaveStatus draft={draft} />}
        actions={
          <>
            <Button onClick={() => setOpenDialog('templates')}>{t('templates.open')}</Button>
            <Button disabled={!isSavableDraft(draft.content)} onClick={() => setOpenDialog('saveTemplate')}>
              {t('templates.save')}
            </Button>
            {/* Rendered from the start, so that nothing moves when the draft is first saved. */}
            <Button color="error" disabled={!campaign} onClick={() => setOpenDialog('delete')}>
              {t('compose.delete')}
            </Button>
          </>
        }
      />
      {draft.conflict && <EditConflictAlert {...draft.conflict} />}
      {campaign && (
        <Box sx={{ mb: 6, '&:empty': { display: 'none' } }}>
          <StartFailureNotice campaign={campaign} />
        </Box>
      )}
      <Box
        sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <DraftFields content={draft.content} errors={actions.errors} contentKey={contentKey} onChange={updateContent} />
        <Stack spacing={4} sx={previewColumnSx}>
          <DraftPreview content={draft.content} />
          <Stack spacing={3} sx={sendBarSx}>
            <SendSummary content={draft.content} />
            <ComposerButtons actions={actions} isResend={campaign?.status === 'failed'} />
          </Stack>
        </Stack>
      </Box>
      <TemplatesDialog open={openDialog === 'templates'} onSelect={applyTemplate} onClose={close} />
      <SaveTemplateDialog open={openDialog === 'saveTemplate'} content={draft.content} onClose={close} />
      <SendDialog sending={actions.sending} onClose={actions.closeSendDialog} onConflict={draft.reportConflict} />
      <ScheduleDialog
        campaign={actions.scheduling}
        onClose={actions.closeScheduleDialog}
        onConflict={draft.reportConflict}
      />
      {campaign && (
        <ConfirmDialog
          open={openDialog === 'delete'}
          title={t('compose.deleteTitle', {
            name: renderMergeFields(draft.content.name || campaign.name, campaign.zoneName),
          })}
          confirmLabel={t('compose.deleteConfirm')}
          isPending={actions.isRemoving}
          onConfirm={() => actions.remove(campaign.id)}
          onClose={close}
        >
          {t('compose.deleteText')}
        </ConfirmDialog>
      )}
    </>
  );
}

/**
 * On wide screens the preview and send bar stay visible however long the fields are; the preview takes the remaining
 * height.
 */
const previewColumnSx = {
  alignSelf: 'start',
  position: { lg: 'sticky' },
  top: layoutSize.topBar + 16,
  maxHeight: { lg: `calc(100dvh - ${layoutSize.topBar + 32}px)` },
} as const;

/** Before scrolling, the column starts below the title, so its end would be below the screen. */
const sendBarSx = {
  position: { lg: 'sticky' },
  bottom: 0,
  py: 3,
  borderTop: 1,
  borderColor: 'divider',
  bgcolor: 'background.default',
} as const;

function SaveStatus({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { t } = useTranslation('campaigns');
  const text = draft.failure
    ? t('compose.saveFailed', { reason: draft.failure })
    : draft.isSavePending
      ? t('compose.saving')
      : draft.hasChanges
        ? t('compose.unsaved')
        : draft.isSaved && t('compose.saved');
  return (
    // Reserves its line so that the page doesn't move when the text appears.
    <Typography
      component="span"
      variant="body2"
      role="status"
      color={draft.failure ? 'error' : 'textSecondary'}
      sx={{ display: 'block', minHeight: '1lh' }}
    >
      {text}
    </Typography>
  );
}

function ComposerButtons({ actions, isResend }: { actions: ReturnType<typeof useComposerActions>; isResend: boolean }) {
  const { t } = useTranslation('campaigns');
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const { busy } = actions;
  const loading = (action: typeof busy) => ({ loading: busy === action, loadingPosition: 'start' as const });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button {...loading('save')} onClick={actions.save}>
        {t('compose.save')}
      </Button>
      <Button {...loading('test')} onClick={actions.sendTest}>
        {t('compose.test')}
      </Button>
      <Button {...loading('schedule')} onClick={actions.openScheduleDialog}>
        {t('compose.schedule')}
      </Button>
      <Button {...loading('send')} variant="contained" color="primary" onClick={actions.openSendDialog}>
        {t(isDeliveryDisabled ? 'compose.putOnHold' : isResend ? 'rejections.sendAgain' : 'compose.send')}
      </Button>
    </Box>
  );
}
