import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { layoutSize } from '../../../app/theme/tokens';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { PageHeader } from '../../../shared/ui/page-header';
import type { Campaign } from '../api/use-campaigns';
import type { Template } from '../api/use-templates';
import { NotStarted } from '../components/not-started';
import { useReadable } from '../components/use-readable';
import { ChangedElsewhere } from './changed-elsewhere';
import { DraftPreview } from './mail-preview';
import { SaveTemplateDialog } from './dialogs/save-template-dialog';
import { ScheduleDialog } from './dialogs/schedule-dialog';
import { SendDialog } from './dialogs/send-dialog';
import { SendLine } from './send-line';
import { TemplatesDialog } from './dialogs/templates-dialog';
import { useComposerActions } from './use-composer-actions';
import { useDraft } from './use-draft';
import { canBeDraft, type Missing, type Wording } from './wording';
import { WordingFields } from './wording-fields';

interface Props {
  /** The draft; nothing while a new one is not at the server yet. */
  campaign: Campaign | null;
  /** Stays the same while the new draft gets its address. */
  composing: string;
}

const fieldOf: Partial<Record<keyof Wording, Missing>> = {
  ...{ zoneId: 'zone', name: 'name', subject: 'subject', htmlContent: 'content' },
};

/** Writes a campaign: the fields at the left, the mail as it will look at the right. */
export function Composer({ campaign, composing }: Props) {
  const { t } = useTranslation('campaigns');
  const draft = useDraft(campaign, composing);
  const readable = useReadable();
  const actions = useComposerActions(draft);
  const [contentKey, setContentKey] = useState(0);
  const [open, setOpen] = useState<'templates' | 'saveTemplate' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const change = (part: Partial<Wording>) => {
    draft.change(part);
    actions.forget((Object.keys(part) as (keyof Wording)[]).flatMap((key) => fieldOf[key] ?? []));
  };
  const useTemplate = ({ subject, htmlContent }: Template) => {
    // As with a subject that is typed: a campaign that has no name yet is named by it.
    const isNameless = !draft.wording.name.trim() && subject.trim() !== '';
    change({ subject, htmlContent, ...(isNameless && { name: subject.trim() }) });
    setContentKey((key) => key + 1);
  };
  return (
    <>
      <PageHeader
        title={campaign ? t('compose.editTitle') : t('compose.newTitle')}
        back={{ to: '/campaigns', label: t('compose.back') }}
        description={<SavedState draft={draft} />}
        actions={
          <>
            <Button onClick={() => setOpen('templates')}>{t('templates.open')}</Button>
            <Button disabled={!canBeDraft(draft.wording)} onClick={() => setOpen('saveTemplate')}>
              {t('templates.save')}
            </Button>
            {/* There from the start, so that nothing moves once the draft is saved for the first time. */}
            <Button color="error" disabled={!campaign} onClick={() => setOpen('delete')}>
              {t('compose.delete')}
            </Button>
          </>
        }
      />
      {draft.elsewhere && <ChangedElsewhere {...draft.elsewhere} />}
      {campaign && (
        <Box sx={{ mb: 6, '&:empty': { display: 'none' } }}>
          <NotStarted campaign={campaign} />
        </Box>
      )}
      <Box
        sx={{ display: 'grid', gap: 6, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}
      >
        <WordingFields wording={draft.wording} errors={actions.errors} contentKey={contentKey} onChange={change} />
        <Stack spacing={4} sx={besideFields}>
          <DraftPreview wording={draft.wording} />
          <Stack spacing={3} sx={sendBar}>
            <SendLine wording={draft.wording} />
            <Buttons actions={actions} isAgain={campaign?.status === 'failed'} />
          </Stack>
        </Stack>
      </Box>
      <TemplatesDialog open={open === 'templates'} onUse={useTemplate} onClose={close} />
      <SaveTemplateDialog open={open === 'saveTemplate'} wording={draft.wording} onClose={close} />
      <SendDialog sending={actions.sending} onClose={actions.stopSending} onChangedElsewhere={draft.noteElsewhere} />
      <ScheduleDialog
        campaign={actions.scheduling}
        onClose={actions.stopScheduling}
        onChangedElsewhere={draft.noteElsewhere}
      />
      {campaign && (
        <ConfirmDialog
          open={open === 'delete'}
          title={t('compose.deleteTitle', { name: readable(draft.wording.name || campaign.name, campaign.zoneName) })}
          confirmLabel={t('compose.deleteConfirm')}
          busy={actions.isRemoving}
          onConfirm={() => actions.remove(campaign.id)}
          onClose={close}
        >
          {t('compose.deleteText')}
        </ConfirmDialog>
      )}
    </>
  );
}

/** On a wide screen preview and send bar stay in view however long the fields are; the preview takes what is left. */
const besideFields = {
  alignSelf: 'start',
  position: { lg: 'sticky' },
  top: layoutSize.topBar + 16,
  maxHeight: { lg: `calc(100dvh - ${layoutSize.topBar + 32}px)` },
} as const;

/** Before the page is scrolled the column begins below the title, and its end would lie below the screen. */
const sendBar = {
  position: { lg: 'sticky' },
  bottom: 0,
  py: 3,
  borderTop: 1,
  borderColor: 'divider',
  bgcolor: 'background.default',
} as const;

function SavedState({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { t } = useTranslation('campaigns');
  const text = draft.failure
    ? t('compose.saveFailed', { reason: draft.failure })
    : draft.due
      ? t('compose.saving')
      : draft.changed
        ? t('compose.unsaved')
        : draft.isSaved && t('compose.saved');
  return (
    // Its line is there before anything is to be said, so that the page does not move when it is.
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

function Buttons({ actions, isAgain }: { actions: ReturnType<typeof useComposerActions>; isAgain: boolean }) {
  const { t } = useTranslation('campaigns');
  const { busy } = actions;
  const loading = (what: typeof busy) => ({ loading: busy === what, loadingPosition: 'start' as const });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      <Button {...loading('save')} onClick={actions.save}>
        {t('compose.save')}
      </Button>
      <Button {...loading('test')} onClick={actions.sendTest}>
        {t('compose.test')}
      </Button>
      <Button {...loading('schedule')} onClick={actions.askToSchedule}>
        {t('compose.schedule')}
      </Button>
      <Button {...loading('send')} variant="contained" color="primary" onClick={actions.askToSend}>
        {t(isAgain ? 'faults.sendAgain' : 'compose.send')}
      </Button>
    </Box>
  );
}
