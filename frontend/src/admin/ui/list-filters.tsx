import SearchRounded from '@mui/icons-material/SearchRounded';
import Box from '@mui/material/Box';
import InputAdornment from '@mui/material/InputAdornment';
import OutlinedInput from '@mui/material/OutlinedInput';
import Select from '@mui/material/Select';
import { useState } from 'react';
import { useListContext } from 'react-admin';
import { ListFileButton, type ListFile } from './list-file-button';

type Filters = Record<string, string>;

export interface FilterChoice {
  /** Of the server's filter. */
  name: string;
  label: string;
  /** What stands there while nothing is chosen. */
  any: string;
  options: readonly { value: string; label: string }[];
}

export interface FilterDay {
  name: 'from' | 'to';
  label: string;
}

interface Props {
  search?: string;
  choices?: readonly FilterChoice[];
  days?: readonly FilterDay[];
  /** The call that gives the filtered list as a file. */
  file?: ListFile;
}

const wide = { xs: '1 1 130px', sm: '0 0 auto' } as const;

/** What an admin list is narrowed by, all of it asked of the server. Stands inside react-admin's `ListBase`. */
export function ListFilters({ search, choices = [], days = [], file }: Props) {
  const { filterValues, setFilters } = useListContext();
  const filters = filterValues as Filters;
  const [typed, setTyped] = useTyped(filters.q ?? '');
  const change = (name: string, value: string, debounced = false) => {
    const { [name]: _, ...others } = filters;
    setFilters(value ? { ...others, [name]: value } : others, undefined, debounced);
  };
  const type = (text: string) => {
    setTyped(text);
    change('q', text.trim(), true);
  };
  // The file holds what the fields say, also in the moment before the list follows.
  const { q: _, ...others } = filters;
  const wanted = typed.trim() ? { ...others, q: typed.trim() } : others;
  return (
    <Box role="search" sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      {search && <Search label={search} typed={typed} onType={type} />}
      {choices.map((choice) => (
        <Choice
          key={choice.name}
          choice={choice}
          value={filters[choice.name] ?? ''}
          onChange={(value) => change(choice.name, value)}
        />
      ))}
      {days.map((day) => (
        <Day key={day.name} day={day} instant={filters[day.name]} onChange={(instant) => change(day.name, instant)} />
      ))}
      {file && <ListFileButton {...file} wanted={wanted} />}
    </Box>
  );
}

interface ChoiceProps {
  choice: FilterChoice;
  value: string;
  onChange: (value: string) => void;
}

function Choice({ choice: { label, any, options }, value, onChange }: ChoiceProps) {
  return (
    <Select
      native
      value={value}
      onChange={(event) => onChange(event.target.value)}
      inputProps={{ 'aria-label': label }}
      sx={{ flex: wide, maxWidth: { sm: 220 } }}
    >
      <option value="">{any}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

interface DayProps {
  day: FilterDay;
  instant: string | undefined;
  onChange: (instant: string) => void;
}

function Day({ day: { name, label }, instant, onChange }: DayProps) {
  return (
    <OutlinedInput
      type="date"
      value={dayIn(name, instant)}
      onChange={(event) => onChange(instantOf(name, event.target.value))}
      startAdornment={<InputAdornment position="start">{label}</InputAdornment>}
      slotProps={{ input: { 'aria-label': label } }}
      sx={{ flex: wide }}
    />
  );
}

/** What is being typed, which the list follows a moment later; and the search again when that was changed from elsewhere. */
function useTyped(q: string): [typed: string, type: (text: string) => void] {
  const [typed, setTyped] = useState(q);
  const [applied, setApplied] = useState(q);
  if (q !== applied) {
    setApplied(q);
    if (q !== typed.trim()) setTyped(q);
  }
  return [typed, setTyped];
}

function Search({ label, typed, onType }: { label: string; typed: string; onType: (text: string) => void }) {
  return (
    <OutlinedInput
      type="search"
      value={typed}
      onChange={(event) => onType(event.target.value)}
      placeholder={label}
      startAdornment={
        <InputAdornment position="start">
          <SearchRounded />
        </InputAdornment>
      }
      slotProps={{ input: { 'aria-label': label, maxLength: 200 } }}
      sx={{ flex: { xs: '1 1 100%', sm: '1 1 220px' }, maxWidth: { sm: 360 } }}
    />
  );
}

const DAY = 24 * 3_600_000;

/** The instant that a filter stands for: the beginning of the first day, and the end of the last. */
export function instantOf(name: 'from' | 'to', day: string): string {
  const start = new Date(`${day}T00:00:00`);
  if (Number.isNaN(start.getTime())) return '';
  return new Date(start.getTime() + (name === 'to' ? DAY : 0)).toISOString();
}

/** The day that such an instant was made of. */
export function dayIn(name: 'from' | 'to', instant: string | undefined): string {
  if (!instant) return '';
  const at = new Date(new Date(instant).getTime() - (name === 'to' ? DAY : 0));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
