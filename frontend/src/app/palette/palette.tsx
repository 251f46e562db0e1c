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
import { matching, type Command } from './commands';
import { PaletteList } from './palette-list';
import { searchZone, useCommands } from './use-commands';
import { useFound } from './use-found';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Finds zones, files, folders, pages and actions by a few letters, and goes there or does it. */
export function Palette({ open, onClose }: Props) {
  const { t } = useTranslation('palette');
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      aria-labelledby={id}
      maxWidth="sm"
      sx={{ '& .MuiDialog-container': { alignItems: 'flex-start' } }}
      slotProps={{
        paper: { 'aria-label': t('title'), sx: { mt: { xs: 4, sm: '10vh' }, maxHeight: 'min(560px, 80vh)' } },
      }}
    >
      <h2 id={id} className="z-visually-hidden">
        {t('title')}
      </h2>
      {open && <PaletteBody onClose={onClose} />}
    </Dialog>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('palette');
  const navigate = useNavigate();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const commands = useCommands(typed);
  const { found, searching, ...notes } = useFound(typed);
  const shown = useMemo(() => {
    // Where nothing is found at all, nothing is found in one zone.
    const useful = commands.filter(({ id: command }) => command !== searchZone || found.length > 0);
    return matching([...useful, ...found], typed);
  }, [commands, found, typed]);
  const current = shown[Math.min(at, shown.length - 1)];
  useEffect(() => input.current?.focus(), []);

  const run = (command: Command) => {
    onClose();
    if (typeof command.run === 'string') void navigate(command.run);
    else command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextAt(event.key, Math.min(at, shown.length - 1), shown.length);
    if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) run(current);
    else if (next !== null) setAt(next);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, px: 4, borderBottom: 1, borderColor: 'divider' }}>
        <SearchRounded aria-hidden sx={{ color: 'text.secondary' }} />
        <InputBase
          inputRef={input}
          fullWidth
          value={text}
          placeholder={t('field')}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          inputProps={{
            role: 'combobox',
            'aria-label': t('field'),
            'aria-expanded': true,
            'aria-autocomplete': 'list',
            'aria-controls': `${id}-list`,
            'aria-activedescendant': current && `${id}-${current.id}`,
            maxLength: 255,
            autoComplete: 'off',
            spellCheck: false,
          }}
          sx={{ minHeight: 52, typography: 'body1' }}
        />
      </Box>
      <Box sx={{ height: 2 }}>{searching && <LinearProgress aria-label={t('searching')} sx={{ height: 2 }} />}</Box>
      <PaletteList id={id} commands={shown} current={current} onPoint={setAt} onRun={run} />
      <Note empty={shown.length === 0 && !searching} {...{ typed, searching, ...notes }} count={shown.length} />
    </>
  );
}

interface NoteProps {
  typed: string;
  /** Why names could not be searched. */
  error: unknown;
  /** Why the text of documents could not be searched. */
  textsError: unknown;
  isPartial: boolean;
  isReading: boolean;
  searching: boolean;
  empty: boolean;
  count: number;
}

/** What there is to say of the results: that there are none, why files are missing, or how to use the keys. */
function Note({ typed, error, textsError, isPartial, isReading, searching, empty, count }: NoteProps) {
  const { t } = useTranslation('palette');
  const format = useFormat();
  const errorText = useErrorText();
  const hasFailed = error !== null || textsError !== null;
  return (
    <Box sx={{ px: 4, py: 3, borderTop: 1, borderColor: 'divider' }}>
      <span className="z-visually-hidden" role="status">
        {typed !== '' && !searching && !empty && t('count', { count, formatted: format.number(count) })}
      </span>
      {error !== null && (
        <Typography role="alert" variant="body2" color="error">
          {t('failed')}: {errorText(error)}
        </Typography>
      )}
      {textsError !== null && (
        <Typography role="alert" variant="body2" color="error">
          {t('textsFailed')}: {errorText(textsError)}
        </Typography>
      )}
      {empty && !hasFailed && (
        <Typography role="status" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('nothing', { typed })}
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
      {!empty && !hasFailed && (
        <Typography variant="caption" color="textSecondary" component="p" aria-hidden>
          {t('hint')}
        </Typography>
      )}
    </Box>
  );
}

/** The line that a key leads to, round at the ends; null when the key means nothing here. */
function nextAt(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at + count - 1) % count;
  if (key === 'PageDown') return Math.min(count - 1, at + 6);
  if (key === 'PageUp') return Math.max(0, at - 6);
  return null;
}
