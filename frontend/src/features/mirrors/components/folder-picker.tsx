import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded';
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useFolders, type Folder } from '../api/use-mirrors';

interface Props {
  zoneId: number;
  selectedFolder: Folder | null;
  error?: string;
  onSelect: (folder: Folder) => void;
}

/** Picks a folder of a zone, one level at a time. Mirrors aren't offered. */
export function FolderPicker({ zoneId, selectedFolder, error, onSelect }: Props) {
  const { t } = useTranslation('mirrors');
  const id = useId();
  const [path, setPath] = useState<Folder[]>([]);
  const parent = path.at(-1);
  const { data, error: loadError, refetch } = useFolders(zoneId, parent?.id ?? null);
  const folders = data?.filter(({ readOnly }) => !readOnly);
  return (
    <Box>
      <Typography id={id} variant="subtitle2" sx={{ mb: 1 }}>
        {t('form.source')}
      </Typography>
      <Box sx={{ border: 1, borderColor: error ? 'error.main' : 'outline', borderRadius: 1 }}>
        {parent && (
          <Button
            variant="text"
            startIcon={<ArrowBackRounded />}
            onClick={() => setPath(path.slice(0, -1))}
            sx={{ m: 1, maxWidth: 'calc(100% - 8px)', overflowWrap: 'anywhere', textAlign: 'left' }}
          >
            {t('form.backFrom', { name: parent.name })}
          </Button>
        )}
        <Box sx={{ maxHeight: 220, overflowY: 'auto', px: 3, py: 1 }}>
          {loadError && !data && <ErrorState title={t('form.foldersFailed')} error={loadError} onRetry={refetch} />}
          {!data && !loadError && <RowsSkeleton rows={3} />}
          {folders?.length === 0 && (
            <Typography color="textSecondary" sx={{ py: 2 }}>
              {t('form.noFolders')}
            </Typography>
          )}
          <RadioGroup aria-labelledby={id} aria-describedby={error && `${id}-note`} value={selectedFolder?.id ?? null}>
            {folders?.map((folder) => (
              <FolderRow
                key={folder.id}
                folder={folder}
                onSelect={() => onSelect(folder)}
                onOpen={() => setPath([...path, folder])}
              />
            ))}
          </RadioGroup>
        </Box>
      </Box>
      {error && (
        <FormHelperText id={`${id}-note`} error sx={{ mx: 0 }}>
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}

function FolderRow({ folder, onSelect, onOpen }: { folder: Folder; onSelect: () => void; onOpen: () => void }) {
  const { t } = useTranslation('mirrors');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center' }}>
      <FormControlLabel
        value={folder.id}
        control={<Radio onChange={onSelect} />}
        label={folder.name}
        sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}
      />
      {folder.folderCount > 0 && (
        <IconButton aria-label={t('form.open', { name: folder.name })} onClick={onOpen}>
          <ChevronRightRounded />
        </IconButton>
      )}
    </Box>
  );
}
