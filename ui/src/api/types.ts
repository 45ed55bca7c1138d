/**
 * The nouns of the office, by the names the pages use; the shapes come from `wire/openapi.json`.
 *
 * Times are ISO texts with an offset; money is in millionths of a US dollar.
 */
import type { components } from './schema';

type Schemas = components['schemas'];

export type Activity = Schemas['Activity'];
export type Duty = Schemas['Duty'];
export type RunState = Schemas['RunState'];
export type TurnState = Schemas['TurnState'];
export type CallState = Schemas['CallState'];
export type ItemState = Schemas['ItemState'];
export type TaskStatus = Schemas['TaskStatus'];
export type Thinking = Schemas['AgentView']['thinking'];

export type Usage = Schemas['Usage'];
export type ClockView = Schemas['ClockView'];
export type OfficeView = Schemas['OfficeView'];
export type Preview = Schemas['Preview'];
export type AgentView = Schemas['AgentView'];
export type ThreadView = Schemas['ThreadView'];
export type MessageView = Schemas['MessageView'];
export type Evidence = Schemas['Evidence'];
export type TaskView = Schemas['TaskView'];
export type CommentView = Schemas['CommentView'];
export type RunView = Schemas['RunView'];
export type TurnView = Schemas['TurnView'];
export type Artifact = Schemas['Artifact'];
export type CallView = Schemas['CallView'];
export type Decision = Schemas['Decision'];
export type EventView = Schemas['EventView'];
export type ItemView = Schemas['ItemView'];
export type AlertView = Schemas['AlertView'];
export type FileInfo = Schemas['FileInfo'];

export type Entry = Schemas['Entry'];
export type EntryKind = Entry['kind'];
export type Recorded = Schemas['Recorded'];
export type RunDelta = Schemas['RunDelta'];
export type CallOutput = Schemas['CallOutput'];
export type Live = Schemas['Live'];

/** The office at one moment: all agents, threads and tasks; open runs, calls, items and alerts. */
export type Snapshot = Schemas['Snapshot'];

export type Person = Schemas['Person'];
export type ThemeChoice = NonNullable<Person['theme']>;
export type Language = NonNullable<Person['language']>;
export type Me = Schemas['Me'];
export type Session = Schemas['SessionView'];

/** A part of a list. `next` is the `before` of the part after it; null at the end. */
export interface Page<T> {
  items: T[];
  next?: string | null;
}

export type TaskHistory = Schemas['TaskChange'];
export type TaskDetail = Schemas['TaskCard'];
export type RunDetail = Schemas['RunDetail'];
export type CallDetail = Schemas['CallDetail'];
export type EventDetail = Schemas['EventDetail'];
export type FolderView = Schemas['FolderView'];
export type UsageRow = Schemas['UsageRow'];
export type UsageReport = Schemas['UsageReport'];
export type ToolView = Schemas['ToolView'];
export type PromptView = Schemas['PromptView'];
export type ModelInfo = Schemas['ModelReport'];
export type ProviderView = Schemas['ProviderReport'];
export type ProviderTest = Schemas['ProviderCheck'];
export type IsolationView = Schemas['IsolationReport'];
export type TokenView = Schemas['TokenView'];
