import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../shared/ui/empty-state';
import { FileTypeIcon } from '../components/file-type-icon';
import type { StoredFile } from '../entries';
import { downloadAddress, previewKind, viewAddress } from './preview-kind';
import { TextPreview } from './text-preview';

const fitted = { display: 'block', maxWidth: '100%', maxHeight: '100%', objectFit: 'contain' } as const;

/** The file itself, as far as a browser can show it. */
export function PreviewContent({ file }: { file: StoredFile }) {
  const { t } = useTranslation('files');
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const kind = state === 'failed' ? 'none' : previewKind(file);
  const shown = () => setState('shown');
  const failed = () => setState('failed');
  const src = viewAddress(file);
  return (
    <>
      {kind === 'empty' && (
        <EmptyState icon={<FileTypeIcon file={file} />} title={t('preview.empty')} text={file.originalName} />
      )}
      {kind === 'none' && <NoPreview file={file} failed={state === 'failed'} />}
      {kind === 'text' && <TextPreview file={file} />}
      {kind === 'image' && (
        <Box component="img" src={src} alt={file.originalName} onLoad={shown} onError={failed} sx={fitted} />
      )}
      {kind === 'video' && (
        <Box component="video" src={src} controls autoPlay={false} onLoadedData={shown} onError={failed} sx={fitted} />
      )}
      {kind === 'audio' && (
        <Box
          component="audio"
          src={src}
          controls
          onLoadedData={shown}
          onError={failed}
          sx={{ width: 'min(560px, 100%)' }}
        />
      )}
      {kind === 'pdf' && (
        <Box
          component="iframe"
          // The browser's viewer without its column of small pages.
          src={`${src}#navpanes=0`}
          title={file.originalName}
          onLoad={shown}
          sx={{ width: '100%', height: '100%', border: 0, borderRadius: 1, bgcolor: 'background.paper' }}
        />
      )}
      {(kind === 'image' || kind === 'pdf' || kind === 'video') && state === 'loading' && (
        <Box sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center', pointerEvents: 'none' }}>
          <CircularProgress size={32} aria-label={t('preview.loading')} />
        </Box>
      )}
    </>
  );
}

function NoPreview({ file, failed }: { file: StoredFile; failed: boolean }) {
  const { t } = useTranslation('files');
  const none = file.can.download ? t('preview.none') : t('preview.noneNoDownload');
  return (
    <EmptyState
      icon={<FileTypeIcon file={file} />}
      title={failed ? t('preview.failed') : none}
      text={file.originalName}
      action={
        file.can.download && (
          <Button
            component="a"
            href={downloadAddress(file)}
            download
            variant="contained"
            color="primary"
            startIcon={<DownloadRounded />}
          >
            {t('actions.download')}
          </Button>
        )
      }
    />
  );
}
