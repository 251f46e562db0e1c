import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { TextSkeleton } from '../../../shared/ui/skeletons';
import type { StoredFile } from '../entries';
import { decodeText } from './decode-text';

const shownBytes = 256 * 1024;

/** The beginning of a text file. */
export function TextPreview({ file }: { file: StoredFile }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { data, error, refetch } = useQuery({
    queryKey: ['get', '/api/files/{id}/view', file.id, file.updatedAt],
    queryFn: async ({ signal }) => {
      const range = file.size > shownBytes ? { Range: `bytes=0-${shownBytes - 1}` } : {};
      const { data: bytes } = await api.GET('/api/files/{id}/view', {
        params: { path: { id: file.id } },
        headers: range,
        parseAs: 'arrayBuffer',
        signal,
      });
      return decodeText(bytes as ArrayBuffer);
    },
  });
  if (error) return <ErrorState title={t('preview.failed')} error={error} onRetry={refetch} />;
  return (
    <Box
      sx={{
        width: 'min(880px, 100%)',
        maxHeight: '100%',
        overflow: 'auto',
        p: { xs: 4, sm: 8 },
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
      tabIndex={0}
      role="document"
      aria-label={file.originalName}
    >
      {data === undefined ? (
        <TextSkeleton />
      ) : (
        <Box
          component="pre"
          dir="auto"
          sx={{ m: 0, typography: 'body1', fontFamily: 'monospace', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
        >
          {data}
        </Box>
      )}
      {file.size > shownBytes && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 4 }}>
          {t('preview.cut', { size: format.size(shownBytes) })}
        </Typography>
      )}
    </Box>
  );
}
