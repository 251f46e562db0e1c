import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Skeleton from '@mui/material/Skeleton';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { LoadingRegion } from '../../../../shared/ui/skeletons';
import { lazyComponent } from '../../../../shared/ui/lazy-component';
import type { EditorHandle } from './editor-handle';
import { HtmlEditor } from './html-editor';
import { MergeFieldChips } from './merge-field-chips';
import { canEditAsRichText } from './merge-fields';

const RichEditor = lazyComponent(
  () => import('./rich-editor').then((m) => m.RichEditor),
  () => <EditorSkeleton />,
);

type Mode = 'rich' | 'html';

interface Props {
  value: string;
  error?: string;
  onChange: (html: string) => void;
}

/** Editor for the email's content, as rich text or HTML. Starts in a mode that loses nothing of the content. */
export function ContentEditor({ value, error, onChange }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const handle = useRef<EditorHandle>(null);
  const [mode, setMode] = useState<Mode>(() => (canEditAsRichText(value) ? 'rich' : 'html'));
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  const changeMode = (_: unknown, next: Mode | null) => {
    if (next === 'rich' && !canEditAsRichText(value)) setIsConfirmOpen(true);
    else if (next) setMode(next);
  };
  const editorProps = { invalid: Boolean(error), describedBy: error ? `${id}-note` : undefined, onChange, ref: handle };
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
        <Typography variant="subtitle2" component="span">
          {t('compose.content')}
        </Typography>
        <ToggleButtonGroup exclusive size="small" value={mode} onChange={changeMode} aria-label={t('compose.mode')}>
          <ToggleButton value="rich">{t('compose.rich')}</ToggleButton>
          <ToggleButton value="html">{t('compose.html')}</ToggleButton>
        </ToggleButtonGroup>
      </Box>
      {mode === 'rich' ? (
        <RichEditor initial={value} {...editorProps} />
      ) : (
        <HtmlEditor value={value} {...editorProps} />
      )}
      {error && (
        <FormHelperText id={`${id}-note`} error sx={{ mx: 0 }}>
          {error}
        </FormHelperText>
      )}
      <Box sx={{ mt: 3 }}>
        <MergeFieldChips onInsert={(field) => handle.current?.insertField(field)} />
      </Box>
      <ConfirmDialog
        open={isConfirmOpen}
        title={t('compose.toRichTitle')}
        confirmLabel={t('compose.toRichConfirm')}
        onConfirm={() => {
          setIsConfirmOpen(false);
          setMode('rich');
        }}
        onClose={() => setIsConfirmOpen(false)}
      >
        {t('compose.toRichText')}
      </ConfirmDialog>
    </Box>
  );
}

function EditorSkeleton() {
  return (
    <LoadingRegion>
      <Skeleton variant="rounded" height={330} />
    </LoadingRegion>
  );
}
