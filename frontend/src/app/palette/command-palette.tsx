import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import InputBase from '@mui/material/InputBase';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { filterCommands, type Command } from './commands';
import { CommandList } from './command-list';
import { SEARCH_ZONE_COMMAND, useCommands } from './use-commands';
import { usePaletteSearch } from './use-palette-search';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Finds zones, files, folders, pages and actions, and opens or runs them. */
export function CommandPalette({ open, onClose }: Props) {
  const { t } = useTranslation('palette');
  const titleId = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      aria-labelledby={titleId}
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{
        paper: { 'aria-label': t('title'), sx: { mt: { xs: 4, sm: '10vh' }, maxHeight: 'min(560px, 80vh)' } },
      }}
    >
      <h2 id={titleId} className="z-visually-hidden">
        {t('title')}
      </h2>
      {open && <CommandPaletteContent onClose={onClose} />}
    </Dialog>
  );
}

function CommandPaletteContent({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const id = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [selectedIndex, setSelectedIndex] = useState(0);
  const query = text.trim();
  const commands = useCommands(query);
  const { results, isSearching, ...searchStatus } = usePaletteSearch(query);
  const visibleCommands = useMemo(() => {
    // If nothing is found anywhere, searching one zone won't find anything either.
    const availableCommands = commands.filter(
      ({ id: command }) => command !== SEARCH_ZONE_COMMAND || results.length > 0,
    );
    return filterCommands([...availableCommands, ...results], query);
  }, [commands, results, query]);
  const activeCommand = visibleCommands[Math.min(selectedIndex, visibleCommands.length - 1)];
  useEffect(() => inputRef.current?.focus(), []);

  const runCommand = (command: Command) => {
    onClose();
    if (typeof command.run === 'string') void navigate(command.run);
    else command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, Math.min(selectedIndex, visibleCommands.length - 1), visibleCommands.length);
    if (event.key === 'Enter' && activeCommand && !event.nativeEvent.isComposing) runCommand(activeCommand);
    else if (next !== null) setSelectedIndex(next);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, borderBottom: 1, borderColor: 'divider' }}>
        <SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />
        <InputBase
          inputRef={inputRef}
          fullWidth
          value={text}
          placeholder={t('field')}
          onChange={(event) => {
            setText(event.target.value);
            setSelectedIndex(0);
          }}
          onKeyDown={onKeyDown}
          inputProps={{
            role: 'combobox',
            'aria-label': t('field'),
            'aria-expanded': true,
            'aria-autocomplete': 'list',
            'aria-controls': `${id}-list`,
            'aria-activedescendant': activeCommand && `${id}-${activeCommand.id}`,
            maxLength: 255,
            autoComplete: 'off',
            spellCheck: false,
          }}
          sx={{ minHeight: 52, typography: 'body1' }}
        />
      </Box>
      <Box sx={{ height: 2 }}>{isSearching && <LinearProgress aria-label={t('searching')} sx={{ height: 2 }} />}</Box>
      <CommandList
        id={id}
        commands={visibleCommands}
        activeCommand={activeCommand}
        onHighlight={setSelectedIndex}
        onRun={runCommand}
      />
      <PaletteStatus
        isEmpty={visibleCommands.length === 0 && !isSearching}
        {...{ query, isSearching, ...searchStatus }}
        count={visibleCommands.length}
      />
    </>
  );
}

interface PaletteStatusProps {
  query: string;
  /** Why the search by name failed. */
  error: unknown;
  /** Why the full-text search failed. */
  documentsError: unknown;
  isPartial: boolean;
  isReading: boolean;
  isSearching: boolean;
  isEmpty: boolean;
  count: number;
}

/** Status line: no results, why files are missing, or the keyboard help. */
function PaletteStatus({
  query,
  error,
  documentsError,
  isPartial,
  isReading,
  isSearching,
  isEmpty,
  count,
}: PaletteStatusProps) {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const errorText = useErrorText();
  const hasFailed = error !== null || documentsError !== null;
  return (
    <Box sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}>
      <span className="z-visually-hidden" role="status">
        {query !== '' && !isSearching && !isEmpty && t('count', { count, formatted: format.number(count) })}
      </span>
      {error !== null && (
        <Typography role="alert" variant="body2" color="error">
          {t('failed')}: {errorText(error)}
        </Typography>
      )}
      {documentsError !== null && (
        <Typography role="alert" variant="body2" color="error">
          {t('textsFailed')}: {errorText(documentsError)}
        </Typography>
      )}
      {isEmpty && !hasFailed && (
        <Typography role="status" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('nothing', { typed: query })}
        </Typography>
      )}
      {isPartial && (
        <Typography variant="body2" color="textSecondary">
          {t('partial')}
        </Typography>
      )}
      {isReading && (
        <Typography role="status" variant="body2" color="textSecondary">
          {t('reading')}
        </Typography>
      )}
      {!isEmpty && !hasFailed && (
        <Typography variant="caption" color="textSecondary" component="p" aria-hidden>
          {t('hint')}
        </Typography>
      )}
    </Box>
  );
}

/** Returns the index a key moves to, wrapping at the ends; null if the key does nothing here. */
function nextIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (index + 1) % count;
  if (key === 'ArrowUp') return (index + count - 1) % count;
  if (key === 'PageDown') return Math.min(count - 1, index + 6);
  if (key === 'PageUp') return Math.max(0, index - 6);
  return null;
}
