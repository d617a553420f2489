import type { EventEmitter } from 'node:events';
import type { Job, Processor, Queue, WorkerOptions } from 'bullmq';
import type { BlobStore } from './blob-store.js';
import type { StoreClock } from './store-clock.js';
import type { StoreAddress } from './store-url.js';

/** The part of a BullMQ queue that this package uses, for both stores. */
export type BullQueue = Pick<
  Queue,
  | 'add'
  | 'addBulk'
  | 'clean'
  | 'close'
  | 'drain'
  | 'getGlobalConcurrency'
  | 'getJob'
  | 'getJobCounts'
  | 'getJobs'
  | 'getJobState'
  | 'getRanges'
  | 'name'
  | 'rateLimit'
  | 'removeGlobalConcurrency'
  | 'removeRateLimitKey'
  | 'setGlobalConcurrency'
>;
/** A job of BullMQ. */
export type BullJob = Job;
/** A worker of BullMQ: its methods, and its events by name. */
export interface BullWorker {
  readonly name: string;
  concurrency: number;
  readonly events: EventEmitter;
  cancelJob(id: string, reason?: string): boolean;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
  waitUntilReady(): Promise<void>;
  close(force?: boolean): Promise<void>;
}
/** Settings of a BullMQ worker beside its connection. */
export type BullWorkerSettings = Omit<WorkerOptions, 'connection'>;
/** The events of one BullMQ queue. */
export interface BullEvents {
  readonly events: EventEmitter;
  waitUntilReady(): Promise<void>;
  close(): Promise<void>;
}
/** Publishes events of this package on one BullMQ queue. */
export interface BullProducer {
  publish(eventName: string, fields: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
}

/** What a driver offers: BullMQ on one store. */
export interface StoreDriver {
  readonly blobs: BlobStore;
  readonly clock: StoreClock;
  /** Remarks about the store, such as settings that may lose jobs. */
  readonly notes: readonly string[];
  createQueue(name: string): BullQueue;
  createEvents(name: string): BullEvents;
  createProducer(name: string): BullProducer;
  createWorker(name: string, processor: Processor, settings: BullWorkerSettings): BullWorker;
  /** False if the connection is known to be lost. */
  readonly isConnected: boolean;
  /** Resolves when the store has answered once, however long that takes. */
  waitUntilAnswers(): Promise<void>;
  close(): Promise<void>;
}

/** Called when the connection to the store is lost or back. */
export type OnConnection = (isConnected: boolean, message: string) => void;

/** How a driver is opened. */
export interface DriverRequest {
  readonly address: StoreAddress;
  readonly name: string;
  readonly onConnection: OnConnection;
  /** Aborted when the store is no longer wanted: opening ends then. */
  readonly signal: AbortSignal;
}

/** Most events that the stream of a queue keeps. BullMQ trims the rest. */
export const MOST_EVENTS = 10_000;
