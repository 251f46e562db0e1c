import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../../../shared/hooks/use-debounced';
import { useStoredChoice } from '../../../shared/hooks/use-stored-choice';
import { EXAMPLE_MERGE_FIELD, findMergeFieldError, isBlankHtml } from './editor/merge-fields';
import { PreviewFrame } from './preview-frame';
import type { DraftContent } from './draft-content';

const widths = ['desktop', 'phone'] as const;
const PREVIEW_DEBOUNCE = 700;

/** Frame of an email with a switch between phone and desktop. */
export function EmailPreviewFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation('campaigns');
  const [width, setWidth] = useStoredChoice('mailPreview', widths, 'desktop');
  return (
    <Box
      component="section"
      aria-label={title}
      sx={{ display: 'flex', flexDirection: 'column', flex: '0 1 auto', minHeight: 0 }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 1 }}>
        <Typography variant="subtitle2" component="h2">
          {title}
        </Typography>
        <ToggleButtonGroup
          exclusive
          size="small"
          value={width}
          onChange={(_, next: (typeof widths)[number] | null) => next && setWidth(next)}
          aria-label={t('preview.width')}
        >
          <ToggleButton value="desktop">{t('preview.desktop')}</ToggleButton>
          <ToggleButton value="phone">{t('preview.phone')}</ToggleButton>
        </ToggleButtonGroup>
      </Box>
      <Box
        sx={{
          position: 'relative',
          width: width === 'phone' ? 'min(375px, 100%)' : '100%',
          flex: '0 1 560px',
          minHeight: 240,
          mx: 'auto',
          border: 1,
          borderColor: 'divider',
          borderRadius: 2,
          overflow: 'hidden',
          bgcolor: 'background.paper',
        }}
      >
        {children}
      </Box>
    </Box>
  );
}

/** Preview of the draft, rendered by the server. */
export function DraftPreview({ content }: { content: Pick<DraftContent, 'zoneId' | 'subject' | 'htmlContent'> }) {
  const { t } = useTranslation('campaigns');
  const { zoneId, subject, htmlContent } = useDebounced(content, PREVIEW_DEBOUNCE);
  const mergeFieldError = findMergeFieldError(htmlContent) ?? findMergeFieldError(subject);
  const placeholder = !zoneId
    ? t('preview.needsZone')
    : isBlankHtml(htmlContent)
      ? t('preview.needsContent')
      : mergeFieldError &&
        (mergeFieldError === 'broken'
          ? t('invalid.broken', { example: EXAMPLE_MERGE_FIELD })
          : t('invalid.field', { field: mergeFieldError.unknown }));
  return (
    <EmailPreviewFrame title={t('preview.title')}>
      {placeholder ? (
        <Box sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center', p: 6, textAlign: 'center' }}>
          <Typography color="textSecondary">{placeholder}</Typography>
        </Box>
      ) : (
        <PreviewFrame zoneId={zoneId} subject={subject} htmlContent={htmlContent} />
      )}
    </EmailPreviewFrame>
  );
}
