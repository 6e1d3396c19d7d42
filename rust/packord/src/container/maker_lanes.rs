//! [`MakerLanes`]: blocks that other threads make.

use super::lanes::Lanes;
use super::maker::{BlockMaker, BlockRows, MadeBlock};
use super::options::WriteOptions;
use super::path::RowPath;
use crate::error::Result;
use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::Mutex;

pub(super) struct MakerLanes {
    lanes: Lanes<Result<MadeBlock>>,
    options: Arc<WriteOptions>,
    /// Makers that no thread uses.
    idle: Arc<Mutex<Vec<BlockMaker>>>,
}

impl MakerLanes {
    /// Starts the threads of the options. `None` for a single one, or if the system has no more.
    pub fn new(options: &WriteOptions) -> Option<MakerLanes> {
        Some(MakerLanes {
            lanes: Lanes::new(options.threads)?,
            options: Arc::new(options.clone()),
            idle: Arc::default(),
        })
    }

    /// Hands the rows of a block to a thread.
    pub fn push(&mut self, rows: BlockRows, paths: Arc<[RowPath]>) {
        let idle = Arc::clone(&self.idle);
        let options = Arc::clone(&self.options);
        self.lanes.push(move || {
            let known = idle.lock().ok().and_then(|mut idle| idle.pop());
            let mut maker = match known {
                Some(maker) => maker,
                None => BlockMaker::new(&options)?,
            };
            let made = maker.make(rows, &paths);
            if let Ok(mut idle) = idle.lock() {
                idle.push(maker);
            }
            made
        });
    }

    /// Returns the oldest block: any, or only one for which there is no room.
    pub fn pop(&mut self, any: bool) -> Option<Result<MadeBlock>> {
        (any || self.lanes.is_full()).then(|| self.lanes.pop())?
    }
}
